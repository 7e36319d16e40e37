import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { AgentSetup, PermissionMode } from '@devs/builtin-agent';
import type { Clock, Sandbox, SandboxSettings } from '@devs/core';
import { readProjectFile } from '@devs/worktree/project-file';
import { CliError, UsageError } from '../cli-error.js';
import { chooseModel, countOf, type ModelLoaders } from './choose-model.js';
import { cacheFolderOf } from './default-model.js';
import { checkedId, readKeys, serversIn, takeFile, textOf } from './given.js';
import { quietProcess } from './hold-in-terminal.js';

interface SandboxDeps {
  readonly loadWorktree: () => Promise<typeof import('@devs/worktree')>;
  readonly process: Pick<NodeJS.Process, 'cwd'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const MODES: readonly SandboxSettings['mode'][] = ['auto', 'required', 'off'];

/** Where the commands of the built-in agent run, and what its user should know about it. */
async function openCommandSandbox(
  options: Pick<AgentOptions, 'sandbox' | 'network' | 'sandboxRead' | 'sandboxWrite' | 'sandboxPass' | 'project'>,
  { loadWorktree, process, env, home }: SandboxDeps,
): Promise<{ readonly sandbox: Sandbox; readonly note?: string | undefined }> {
  const mode = MODES.find((known) => known === options.sandbox);
  if (mode === undefined) throw new UsageError(`--sandbox is one of ${MODES.join(', ')}, not '${options.sandbox}'.`);
  const { network, sandboxRead: read, sandboxWrite: write, sandboxPass: pass, project } = options;
  const { openSandbox } = await loadWorktree();
  const opened = await openSandbox({
    folder: process.cwd(),
    ...(project === undefined ? {} : { project }),
    home,
    env,
    settings: { mode, network, read, write, pass },
  });
  if (opened.status === 'refused') throw new CliError(`${opened.reason}. ${opened.advice}`);
  return opened;
}

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

/** As they are typed behind `devs agent`. */
export interface AgentOptions {
  readonly conversation?: string;
  readonly resume?: string;
  readonly systemPromptFile?: string;
  readonly mcpConfig?: string;
  readonly model?: string;
  /** Default: by what else is named, then by the key in the environment. */
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly scenario?: string;
  readonly window?: string;
  readonly permissions: string;
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  readonly sandbox: string;
  readonly network: boolean;
  readonly sandboxRead: readonly string[];
  readonly sandboxWrite: readonly string[];
  readonly sandboxPass: readonly string[];
  readonly project?: string;
  readonly specsTas?: string;
  readonly specsPrd?: string;
  readonly reinjectEvery: string;
  readonly prompt?: string;
  /** Removed when they have been read. */
  readonly promptFile?: string;
  readonly keysFile?: string;
}

/** Becomes the built-in agent until it ends; gives its exit code. */
export type RunBuiltinAgent = (options: AgentOptions) => Promise<number>;
