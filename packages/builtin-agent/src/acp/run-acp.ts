import { holdAgent } from '../held/hold-agent.js';
import type { TerminalStreams } from '../terminal/terminal-face.js';
import type { AcpSetup } from './acp-setup.js';
import { openAcpAgent } from './open-acp-agent.js';

export interface AcpRun extends TerminalStreams {
  readonly setup: AcpSetup;
  readonly prompt?: string | undefined;
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal;
}

/** Holds an ACP agent in a terminal until it is told to end, or the agent ends. Resolves with the exit code. */
export const runAcp = ({ setup, ...run }: AcpRun): Promise<number> =>
  holdAgent({
    ...run,
    name: setup.name,
    by: 'ACP',
    newId: setup.newId,
    open: (face) => openAcpAgent(setup, face),
  });
