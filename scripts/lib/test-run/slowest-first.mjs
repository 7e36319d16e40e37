import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { repoRoot } from '../paths.mjs';

/** The files that take longest of those in `npm test`, from the root of the checkout. The order of long files is vitest's. */
export const SLOWEST = [
  'packages/supervisor/src/run/__tests__/start-run.test.ts',
  'packages/cli/src/terminal/__tests__/front-door.test.ts',
  'scripts/__tests__/documented-commands.test.ts',
  'packages/worktree/src/run-worktree/__tests__/run-work.test.ts',
  'packages/terminals/src/host/__tests__/host.test.ts',
  'packages/cli/src/agent/__tests__/agent-command.test.ts',
  'packages/cli/src/__tests__/mcp-journey.test.ts',
  'packages/cli/src/run/__tests__/run-journey.test.ts',
  'packages/supervisor/src/run/queue/__tests__/run-queue.test.ts',
  'packages/supervisor/src/__tests__/supervise-terminal.test.ts',
  'packages/cli/src/hook/__tests__/hook-program.test.ts',
  'packages/supervisor/src/__tests__/renewal.test.ts',
  'packages/mcp/src/__tests__/any-client.test.ts',
  'packages/worktree/src/run-worktree/__tests__/run-worktree.test.ts',
  'scripts/__tests__/layers.test.ts',
  'packages/core/src/redaction/__tests__/linear-time.test.ts',
  'packages/core/src/protocol/__tests__/random-cuts.test.ts',
  'packages/mcp/src/workflow/__tests__/workflow-model.test.ts',
  'packages/core/src/supervisor-state/__tests__/read-supervisor-state.test.ts',
  'scripts/__tests__/compile.test.ts',
];

/** A file that takes long and comes last leaves all workers but its own without work. vitest alone begins with the largest. */
export class SlowestFirst extends BaseSequencer {
  /** @override @type {BaseSequencer['sort']} */
  async sort(specifications) {
    const sorted = await super.sort(specifications);
    return sorted
      .map((specification) => ({ specification, rank: rankOf(specification.moduleId) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ specification }) => specification);
  }
}

/** @param {string} file */
function rankOf(file) {
  const at = SLOWEST.indexOf(relative(repoRoot, file).replaceAll('\\', '/'));
  return at === -1 ? SLOWEST.length : at;
}
