import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { AgentSetup, PermissionMode } from '@devs/builtin-agent';
import type { Clock, Sandbox } from '@devs/core';
import { readProjectFile } from '@devs/worktree/project-file';
import { CliError, UsageError } from '../cli-error.js';
import type { AgentOptions, RunBuiltinAgent } from './agent-options.js';
import { chooseModel, countOf, type ModelLoaders } from './choose-model.js';
import { cacheFolderOf } from './default-model.js';
import { checkedId, serversIn, textOf } from './given.js';
import { openCommandSandbox } from './open-command-sandbox.js';
import { quietProcess } from './quiet-process.js';
import { readKeys, takeFile } from './take-file.js';

export interface BuiltinAgentDeps {
  readonly loadAgent: () => Promise<typeof import('@devs/builtin-agent')>;
  readonly loadWorktree: () => Promise<typeof import('@devs/worktree')>;
  readonly models: ModelLoaders;
  readonly process: NodeJS.Process;
  readonly home: string;
  readonly version: string;
  readonly clock: Clock;
  readonly newId: () => string;
}

export const createRunBuiltinAgent =
  (deps: BuiltinAgentDeps): RunBuiltinAgent =>
  async (options) => {
    const { loadAgent, process } = deps;
    const { runAgent, AgentError } = await loadAgent();
    // Comes first, so that they never stay on the disk.
    const prompt = (await takeFile(options.promptFile)) ?? options.prompt;
    const keys = readKeys(await takeFile(options.keysFile));
    const unquiet = quietProcess(console, process);
    const ending = new AbortController();
    const end = () => ending.abort();
    process.once('SIGTERM', end).once('SIGHUP', end);
    try {
      const { sandbox, note } = await openCommandSandbox(options, { ...deps, env: { ...process.env, ...keys } });
      const setup = await setUp(options, { sandbox, keys }, deps).catch(async (error: unknown) => {
        await sandbox.close();
        throw error;
      });
      if (note !== undefined) process.stderr.write(`devs: ${note}\n`);
      const { stdin: input, stdout: output } = process;
      return await runAgent({ setup, prompt, input, output, signal: ending.signal });
    } catch (error) {
      if (error instanceof AgentError) throw new CliError(error.message, { cause: error });
      throw error;
    } finally {
      unquiet();
      process.off('SIGTERM', end).off('SIGHUP', end);
    }
  };

interface OpenedParts {
  readonly sandbox: Sandbox;
  readonly keys: Readonly<Record<string, string>>;
}

async function setUp(
  options: AgentOptions,
  { sandbox, keys }: OpenedParts,
  deps: BuiltinAgentDeps,
): Promise<AgentSetup> {
  const { process, home, version, clock, newId } = deps;
  const { env } = process;
  const { tas, prd } = { tas: specOf(options.specsTas), prd: specOf(options.specsPrd) };
  const hasSpecs = tas !== undefined || prd !== undefined;
  return {
    folder: await realpath(process.cwd()),
    user: { home, env },
    sandbox,
    conversationId: checkedId(options.resume ?? options.conversation ?? newId()),
    isResumed: options.resume !== undefined,
    instructions: await textOf(options.systemPromptFile),
    servers: await serversIn(options.mcpConfig, deps.loadAgent),
    permissions: {
      mode: await modeOf(options.permissions, deps),
      rules: options.allow,
      ask: options.ask,
      deny: options.deny,
    },
    specs: hasSpecs ? { tas: tas ?? '', prd: prd ?? '' } : undefined,
    reinjectEvery: countOf('--reinject-every', options.reinjectEvery) ?? 5,
    version,
    pid: process.pid,
    clock,
    newId,
    // Last: it may ask the provider, which is not worth it for options that are refused.
    model: await chooseModel({
      options,
      env: { ...env, ...keys },
      models: deps.models,
      cacheFolder: cacheFolderOf(home, env, process.platform),
      now: clock.now(),
    }),
  };
}

async function modeOf(text: string, { loadAgent }: BuiltinAgentDeps): Promise<PermissionMode> {
  const { PERMISSION_MODES } = await loadAgent();
  const mode = PERMISSION_MODES.find((one) => one === text);
  if (mode !== undefined) return mode;
  throw new UsageError(`--permissions is one of ${PERMISSION_MODES.join(', ')}, not '${text}'.`);
}

/** The file is in a project, and may be another one since it was named: a link in its place is not followed. */
function specOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const found = readProjectFile(dirname(path), basename(path));
  if (found.status === 'read') return found.text;
  throw new CliError(`${path} cannot be read: ${found.status === 'missing' ? 'there is no such file' : found.why}`);
}
