import { realpath } from 'node:fs/promises';
import type { Clock } from '@devs/core';
import { checkedId, takeFile } from './given.js';
import { holdInTerminal } from './hold-in-terminal.js';
import { type PermissionOptions, rulesOf } from './permission-options.js';

/** As they are typed behind `devs stream-json`. */
export interface StreamOptions extends PermissionOptions {
  readonly name: string;
  readonly conversation: string;
  /** Removed when it has been read. */
  readonly promptFile?: string;
  readonly refusedFile?: string;
  /** The agent's own program and its arguments. */
  readonly command: readonly string[];
}

/** Holds a Claude Code in this terminal until it ends; gives its exit code. */
export type RunStreamAgent = (options: StreamOptions) => Promise<number>;

export interface StreamAgentDeps {
  readonly loadStream: () => Promise<typeof import('@devs/builtin-agent/stream-json')>;
  readonly loadAgent: () => Promise<typeof import('@devs/builtin-agent')>;
  readonly process: NodeJS.Process;
  readonly home: string;
  readonly clock: Clock;
  readonly newId: () => string;
}

export const createRunStreamAgent =
  ({ loadStream, loadAgent, process, home, clock, newId }: StreamAgentDeps): RunStreamAgent =>
  async (options) => {
    const { runStream } = await loadStream();
    const prompt = await takeFile(options.promptFile);
    const setup = {
      name: options.name,
      command: options.command,
      folder: await realpath(process.cwd()),
      user: { home, env: process.env },
      conversationId: checkedId(options.conversation),
      permissions: rulesOf(options),
      pid: process.pid,
      clock,
      newId,
      ...(options.refusedFile === undefined ? {} : { refusedFile: options.refusedFile }),
    };
    return holdInTerminal({ process, loadAgent, command: 'devs stream-json' }, (terminal) =>
      runStream({ setup, prompt, ...terminal }),
    );
  };
