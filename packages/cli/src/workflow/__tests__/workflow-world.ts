import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorld } from '../../__tests__/run-here.js';
import { readText } from '../../files/read-text.js';
import { createMemoryAgreements } from '../../trust/__tests__/memory-agreements.js';
import { createWorkflowFiles } from '../create-workflow-files.js';

const base = mkdtempSync(join(tmpdir(), 'devs-workflow-'));
export const removeWorlds = () => rmSync(base, { recursive: true });

let worlds = 0;

/** A user in a project with real files, and the workflows that came with devs; each by its name. */
export function createWorkflowWorld({ shipped = {}, project = {}, stdin = '' }: Surroundings = {}) {
  const root = join(base, String(++worlds), 'shop');
  const shippedWorkflows = join(base, String(worlds), 'devs', 'workflows');
  mkdirSync(join(root, '.git', 'info'), { recursive: true });
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const put = (folder: string, files: Readonly<Record<string, string>>) => {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  };
  put(shippedWorkflows, shipped);
  if (Object.keys(project).length > 0) put(join(root, '.devs', 'workflows'), project);
  const warn = () => {};
  const agreements = createMemoryAgreements();
  const world = createWorld({
    shippedWorkflows,
    readText: (path) => readText(path, { stdin: bytesOf(stdin), warn }),
    workflowFiles: createWorkflowFiles({
      loadTemplates: () => import('@devs/mcp/templates'),
      loadStores: () => import('@devs/store'),
      here: async () => ({ root, file: join(root, '.devs', 'state.db') }),
      folder: root,
      shippedWorkflows,
      agreements,
    }),
  });
  const workflow = (...argv: readonly string[]) => world.devs(['workflow', ...argv]);
  const json = async (...argv: readonly string[]) => JSON.parse((await workflow(...argv, '--json')).stdout);
  return { workflow, json, root, shippedWorkflows };
}

interface Surroundings {
  /** By the names of the files. */
  readonly shipped?: Readonly<Record<string, string>>;
  readonly project?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** A workflow of one step. */
export const small = (name: string, more = '') =>
  `name: ${name}\ndescription: About ${name}\nsteps:\n  - id: only\n    type: action\n    instructions: Do it.\n${more}`;
