import { realpath } from 'node:fs/promises';
import type { Clock, PermissionRules } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import { checkedId, serversIn, textOf } from './given.js';
import { quietProcess } from './quiet-process.js';
import { takeFile } from './take-file.js';

/** As they are typed behind `devs acp`. */
export interface AcpOptions {
  readonly name: string;
  readonly conversation?: string;
  readonly compact?: string;
  readonly systemPromptFile?: string;
  readonly mcpConfig?: string;
  readonly permissions: string;
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
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
    const { AgentError } = await loadAgent();
    const prompt = await takeFile(options.promptFile);
    const { stdin: input, stdout: output } = process;
    if (!input.isTTY || !output.isTTY) throw new UsageError('devs acp needs a terminal.');
    const unquiet = quietProcess(console, process);
    const ending = new AbortController();
    const end = () => ending.abort();
    process.once('SIGTERM', end).once('SIGHUP', end);
    try {
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
      return await runAcp({ setup, prompt, input, output, signal: ending.signal });
    } catch (error) {
      if (error instanceof AgentError) throw new CliError(error.message, { cause: error });
      throw error;
    } finally {
      unquiet();
      process.off('SIGTERM', end).off('SIGHUP', end);
    }
  };

const MODES = ['ask', 'allow', 'deny'] as const;

function rulesOf({ permissions, allow, ask, deny }: AcpOptions): PermissionRules {
  const mode = MODES.find((one) => one === permissions);
  if (mode === undefined) throw new UsageError(`--permissions is one of ${MODES.join(', ')}, not '${permissions}'.`);
  return { mode, allow, ask, deny };
}
