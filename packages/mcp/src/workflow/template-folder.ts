import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RunStart } from '@devs/core';
import type { Templates } from './workflow-context.js';
import { WorkflowToolError } from './workflow-tool-error.js';

export interface TemplateListing {
  readonly name: string;
  readonly path: string;
  /** `given`: the file that the server was started with. */
  readonly origin: 'project' | 'shipped' | 'given';
  readonly description?: string;
  /** Why it cannot be started. */
  readonly problem?: string;
}

type FoundTemplate = Omit<TemplateListing, 'description' | 'problem'>;

export interface TemplateFolder {
  readonly path: string;
  readonly origin: 'project' | 'shipped';
}

interface TemplatesDeps {
  /** The file that the server was started with. */
  readonly workflowPath?: string;
  /** The first that has a file with a name counts. */
  readonly folders: readonly TemplateFolder[];
}

/** A project's own come before those that ship with devs. */
export const templateFoldersOf = (projectRoot: string, shipped: string): readonly TemplateFolder[] => [
  { path: join(projectRoot, '.devs', 'workflows'), origin: 'project' },
  { path: shipped, origin: 'shipped' },
];

/** Where a workflow file may be found by name. */
export function findTemplates(
  folders: readonly TemplateFolder[],
): readonly (FoundTemplate & Pick<TemplateFolder, 'origin'>)[] {
  const found = new Map<string, FoundTemplate & Pick<TemplateFolder, 'origin'>>();
  for (const { path: folder, origin } of folders) {
    for (const file of namesIn(folder).filter((name) => /\.ya?ml$/.test(name))) {
      const name = nameOf(file);
      if (!found.has(name)) found.set(name, { name, path: join(folder, file), origin });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const listTemplates = (folders: readonly TemplateFolder[]): Promise<readonly TemplateListing[]> =>
  Promise.all(findTemplates(folders).map(describeTemplate));

async function describeTemplate(found: FoundTemplate): Promise<TemplateListing> {
  const { loadWorkflowTemplateFromString } = await loadLoader();
  try {
    const { description } = loadWorkflowTemplateFromString(readFileSync(found.path, 'utf8'));
    return { ...found, description };
  } catch (error) {
    return { ...found, problem: error instanceof Error ? error.message : String(error) };
  }
}

const nameOf = (file: string) => basename(file).replace(/\.ya?ml$/, '');

export function createTemplates({ workflowPath, folders }: TemplatesDeps): Templates {
  const seen = new Map<string, { readonly stamp: string; readonly digest: string }>();

  function pathOf(name: string | undefined): string {
    if (name === undefined && workflowPath !== undefined) return workflowPath;
    const known = findTemplates(folders);
    const found = known.find((template) => template.name === (name ?? 'default'));
    if (found !== undefined) return found.path;
    const offer = known.map((template) => template.name).join(', ');
    throw new WorkflowToolError('WORKFLOW_UNKNOWN', `There is no workflow '${name ?? 'default'}'. There is: ${offer}.`);
  }

  return {
    async load(name) {
      const path = pathOf(name);
      const { loadWorkflowTemplate } = await loadLoader();
      let text = '';
      const template = loadWorkflowTemplate(path, (file) => {
        text = readFileSync(file, 'utf8');
        return text;
      });
      return { template, source: { path, digest: digestOf(text) } };
    },

    async list() {
      const listed = await listTemplates(folders);
      if (workflowPath === undefined || listed.some(({ path }) => path === workflowPath)) return listed;
      return [await describeTemplate({ name: nameOf(workflowPath), path: workflowPath, origin: 'given' }), ...listed];
    },

    // Asked for with every status: the file is read again only when it looks different.
    hasChanged({ path, digest }: RunStart['source']) {
      const found = fileAt(path);
      if (found === undefined) return true;
      const stamp = `${found.mtimeMs}:${found.size}:${found.ino}`;
      const known = seen.get(path);
      if (known?.stamp === stamp) return known.digest !== digest;
      const text = textAt(path);
      if (text === undefined) return true;
      const now = digestOf(text);
      seen.set(path, { stamp, digest: now });
      return now !== digest;
    },
  };
}

/** With its YAML parser it takes longer to load than all the rest, and only the start of a run needs it. */
const loadLoader = () => import('@devs/core/workflow');

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

function fileAt(path: string): Stats | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? found : undefined;
  } catch {
    return undefined;
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
