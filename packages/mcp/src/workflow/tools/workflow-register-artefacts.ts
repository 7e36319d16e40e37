import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import { decideEvents } from '../decide-events.js';
import { untilSettled } from '../run-access.js';
import type { WorkflowContext } from '../workflow-context.js';
import { notStarted, WorkflowToolError } from '../workflow-tool-error.js';

const MAX_PATHS = 500;
const MAX_SHOWN = 100;
const MAX_PATH_CHARS = 4_096;

export const workflowRegisterArtefacts = defineTool({
  name: 'workflow_register_artefacts',
  title: 'Register files',
  description: 'Records files that were made for the user in this workflow. They must exist, inside the worktree.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    paths: z
      .array(z.string().min(1).max(MAX_PATH_CHARS))
      .min(1)
      .max(MAX_PATHS)
      .describe('Files inside the worktree, absolute or relative to it'),
  }),
  output: z.object({
    registered: z.array(z.string()).describe('The files of this call, absolute'),
    artefacts: z.array(z.string()).describe('The newest of all that are registered'),
    total: z.int().describe('How many are registered in all'),
  }),
  async run({ paths }, { context }: ToolCall<WorkflowContext>) {
    const { runs, worktree } = context;
    if ((await runs.current()) === undefined) throw notStarted();
    const registered = await Promise.all(paths.map((path) => confine(path, worktree)));
    return untilSettled(async () => {
      const run = await runs.current();
      if (run === undefined) throw notStarted();
      const isKnown = registered.every((path) => run.state.artefacts.includes(path));
      const change = { type: 'artefacts.registered', paths: registered } as const;
      const stored = isKnown ? run : await runs.append(run, (await decideEvents(run, change, runs)).events);
      if (stored === undefined) return undefined;
      context.stateFile.save(stored);
      const { artefacts } = stored.state;
      return { registered, artefacts: artefacts.slice(-MAX_SHOWN), total: artefacts.length };
    });
  },
});

/** Where the file really is: a link may lead out of the worktree. */
async function confine(path: string, worktree: string): Promise<string> {
  const absolute = resolve(worktree, path);
  const [real, root] = await Promise.all([
    realpath(absolute).catch(() => {
      throw new WorkflowToolError('PATHS_INVALID', `paths: there is no file '${path}'.`);
    }),
    realpath(worktree),
  ]);
  const inside = relative(root, real);
  if (inside === '..' || inside.startsWith('../') || inside.startsWith('..\\') || isAbsolute(inside))
    throw new WorkflowToolError('PATHS_INVALID', `paths: '${path}' is outside of the worktree.`);
  return absolute;
}
