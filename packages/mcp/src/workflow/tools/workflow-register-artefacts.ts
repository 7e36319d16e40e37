import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { runEvent } from '@devs/core';
import { z } from 'zod';
import { defineTool } from '../../define-tool.js';
import type { ToolCall } from '../../tool.js';
import type { WorkflowContext } from '../workflow-context.js';
import { notStarted, WorkflowToolError } from '../workflow-tool-error.js';

const MOST_PATHS = 500;

export const workflowRegisterArtefacts = defineTool({
  name: 'workflow_register_artefacts',
  title: 'Register files',
  description: 'Records files that were made for the user in this workflow. They must exist, inside the worktree.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.object({ paths: z.array(z.string().min(1)).min(1).max(MOST_PATHS) }),
  output: z.object({ registered: z.array(z.string()), artefacts: z.array(z.string()) }),
  async run({ paths }, { context }: ToolCall<WorkflowContext>) {
    const { runs, worktree } = context;
    if ((await runs.current()) === undefined) throw notStarted();
    const registered = await Promise.all(paths.map((path) => confine(path, worktree)));
    for (;;) {
      const run = await runs.current();
      if (run === undefined) throw notStarted();
      const isKnown = registered.every((path) => run.state.artefacts.includes(path));
      const event = runEvent(run.state, { type: 'artefacts.registered', paths: registered });
      const stored = isKnown ? run : await runs.append(run, [event]);
      if (stored === undefined) continue;
      context.stateFile.save(stored);
      return { registered, artefacts: [...stored.state.artefacts] };
    }
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
