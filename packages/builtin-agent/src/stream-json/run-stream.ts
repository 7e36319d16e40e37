import { holdAgent } from '../held/hold-agent.js';
import type { TerminalStreams } from '../terminal/terminal-face.js';
import { openClaudeAgent } from './open-claude-agent.js';
import type { StreamSetup } from './stream-setup.js';

export interface StreamRun extends TerminalStreams {
  readonly setup: StreamSetup;
  readonly prompt?: string | undefined;
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal;
}

/** Holds a Claude Code in a terminal until it is told to end, or the agent ends. Resolves with the exit code. */
export const runStream = ({ setup, ...run }: StreamRun): Promise<number> =>
  holdAgent({
    ...run,
    name: setup.name,
    by: 'stream-json',
    newId: setup.newId,
    open: (face) => openClaudeAgent(setup, face),
  });
