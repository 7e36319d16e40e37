import { realpath } from 'node:fs/promises';
import type { Clock } from '@devs/core';
import { checkedId, serversIn, takeFile, textOf } from './given.js';
import { holdInTerminal } from './hold-in-terminal.js';
import { type PermissionOptions, rulesOf } from './permission-options.js';

/** As they are typed behind `devs acp`. */
export interface AcpOptions extends PermissionOptions {
  readonly name: string;
  readonly conversation?: string;
  readonly compact?: string;
  readonly systemPromptFile?: string;
  readonly mcpConfig?: string;
  /** Removed when it has been read. */
  readonly promptFile?: string;
  /** The agent's own program and its arguments. */
  readonly command: readonly string[];
}

/** Holds an ACP agent in this terminal until it ends; gives its exit code. */
export type RunAcpAgent = (options: AcpOptions) => Promise<number>;

export interface AcpAgentDeps {
  readonly loadAcp: () => Promise<typeof import('@devs/builtin-agent/acp')>;
  readonly loadAgent: () => Promise<typeof import('@devs/builtin-agent')>;
  readonly process: NodeJS.Process;
  readonly home: string;
  readonly version: string;
  readonly clock: Clock;
  readonly newId: () => string;
}

export const createRunAcpAgent =
  ({ loadAcp, loadAgent, process, home, version, clock, newId }: AcpAgentDeps): RunAcpAgent =>
  async (options) => {
    const { runAcp } = await loadAcp();
    const prompt = await takeFile(options.promptFile);
    return holdInTerminal({ process, loadAgent, command: 'devs acp' }, async (terminal) => {
      const setup = {
        name: options.name,
        command: options.command,
        folder: await realpath(process.cwd()),
        user: { home, env: process.env },
        conversationId: checkedId(options.conversation ?? newId()),
        compact: options.compact,
        instructions: await textOf(options.systemPromptFile),
        servers: await serversIn(options.mcpConfig, loadAgent),
        permissions: rulesOf(options),
        version,
        pid: process.pid,
        clock,
        newId,
      };
      return runAcp({ setup, prompt, ...terminal });
    });
  };
