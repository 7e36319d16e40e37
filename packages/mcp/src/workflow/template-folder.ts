import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf, type RunStart } from '@devs/core';
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
  /** For a folder that other people may have filled. */
  readonly gate?: TemplateGate;
}

/** Which files of a project count. */
export interface TemplateGate {
  /** The text of a file that the user agreed to. Rejects with the reason where there is none. */
  read(path: string): Promise<string>;
  /** Whether the file may replace a shipped workflow of the same name. */
  mayReplace(path: string): Promise<boolean>;
}

interface TemplatesDeps {
  /** The file that the server was started with. */
  readonly workflowPath?: string;
  /** The first that has a file with a name counts, unless its gate says otherwise. */
  readonly folders: readonly TemplateFolder[];
}

/** A project's own come before those that ship with devs. */
export const templateFoldersOf = (
  projectRoot: string,
  shipped: string,
  gate: TemplateGate,
): readonly TemplateFolder[] => [
  { path: join(projectRoot, '.devs', 'workflows'), origin: 'project', gate },
  { path: shipped, origin: 'shipped' },
];

interface NamedTemplate extends FoundTemplate {
  readonly origin: TemplateFolder['origin'];
  readonly gate?: TemplateGate;
  /** A file of the project that has this name and does not count. */
  readonly ignored?: string;
}

/** Where a workflow file may be found by name. */
export async function findTemplates(folders: readonly TemplateFolder[]): Promise<readonly NamedTemplate[]> {
  const found = new Map<string, NamedTemplate>();
  for (const { path: folder, origin, gate } of folders) {
    for (const file of namesIn(folder).filter((name) => /\.ya?ml$/.test(name))) {
      const candidate = { name: nameOf(file), path: join(folder, file), origin, ...(gate && { gate }) };
      const other = found.get(candidate.name);
      if (other === undefined) found.set(candidate.name, candidate);
      else if (origin === 'shipped' && (await other.gate?.mayReplace(other.path)) === false)
        found.set(candidate.name, { ...candidate, ignored: other.path });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const listTemplates = async (folders: readonly TemplateFolder[]): Promise<readonly TemplateListing[]> =>
  Promise.all((await findTemplates(folders)).map(({ gate, ignored: _, ...found }) => describeTemplate(found, gate)));

async function describeTemplate(found: FoundTemplate, gate?: TemplateGate): Promise<TemplateListing> {
  const { loadWorkflowTemplateFromString } = await loadLoader();
  try {
    const { description } = loadWorkflowTemplateFromString(await readTemplate(found.path, gate));
    return { ...found, description };
  } catch (error) {
    return { ...found, problem: messageOf(error) };
  }
}

const readTemplate = async (path: string, gate: TemplateGate | undefined): Promise<string> =>
  gate === undefined ? readFileSync(path, 'utf8') : gate.read(path);

const nameOf = (file: string) => basename(file).replace(/\.ya?ml$/, '');

export function createTemplates({ workflowPath, folders }: TemplatesDeps): Templates {
  const seen = new Map<string, { readonly stamp: string; readonly digest: string }>();

  async function find(name: string | undefined): Promise<Pick<NamedTemplate, 'path' | 'gate'>> {
    if (name === undefined && workflowPath !== undefined) return { path: workflowPath };
    const known = await findTemplates(folders);
    const found = known.find((template) => template.name === (name ?? 'default'));
    if (found !== undefined) return found;
    const offer = known.map((template) => template.name).join(', ');
    throw new WorkflowToolError('WORKFLOW_UNKNOWN', `There is no workflow '${name ?? 'default'}'. There is: ${offer}.`);
  }

  return {
    async load(name) {
      const { path, gate } = await find(name);
      const { loadWorkflowTemplate } = await loadLoader();
      const text = await readTemplate(path, gate).catch((error: Error) => {
        throw new WorkflowToolError('WORKFLOW_UNKNOWN', error.message, { cause: error });
      });
      const template = loadWorkflowTemplate(path, () => text);
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
