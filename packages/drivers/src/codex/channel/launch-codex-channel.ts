import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, LaunchPlan, LaunchRequest } from '@devs/core';
import { type ArgumentPart, parseArguments } from '../../driving/parse-arguments.js';
import { objectIn, textIn } from '../../reading/json.js';
import { CODEX_SYNTAX, readCodexArguments } from '../driver/codex-arguments.js';
import { applySettings, launchCodex, launchSettings, type ReadConfig } from '../driver/launch-codex.js';
import { mcpOptions } from '../driver/mcp-options.js';
import { type CodexConfig, readCodexConfig } from '../driver/read-codex-config.js';
import { type ChannelLaunch, channelFiles } from './channel-files.js';

/** Options of the user that the app server takes, or that a conversation can be begun with. */
const TAKEN: ReadonlySet<string> = new Set(
  '-c --config --enable --disable -m --model -a --ask-for-approval -s --sandbox --dangerously-bypass-approvals-and-sandbox'.split(
    ' ',
  ),
);
const OF_SERVER: ReadonlySet<string> = new Set(['-c', '--config', '--enable', '--disable']);

/**
 * How Codex is started for a run without a person: its app server, held by a program of devs, with Codex's own screen beside it.
 * `undefined` where the user asked for something that only the screen knows.
 */
export async function launchCodexChannel(
  holder: readonly string[],
  request: LaunchRequest,
  readConfig: ReadConfig = readCodexConfig,
): Promise<LaunchPlan | undefined> {
  const given = readCodexArguments(parseArguments(request.userArgs, CODEX_SYNTAX));
  const isTaken = given.options.every((part) => part.kind === 'option' && TAKEN.has(part.name));
  if (given.isOneOff || given.opens !== undefined || given.prompt !== undefined || !isTaken) return undefined;
  const options = applySettings(given.options, request.settings ?? {});
  const forServer = options.filter((part) => part.kind === 'option' && OF_SERVER.has(part.name));
  const config = await readConfig(
    request,
    forServer.flatMap(({ tokens }) => tokens),
  );
  if (config === undefined) return undefined;
  const { firstPrompt: _, ...withoutPrompt } = request;
  const typed = await launchCodex(withoutPrompt, async () => config);
  const mcp = mcpOptions(request.mcpServers ?? {});
  const settings = launchSettings(request);
  const { command, env } = typed;
  const launch: ChannelLaunch = {
    server: {
      command,
      args: ['app-server', ...forServer.flatMap(({ tokens }) => tokens), ...mcp.options, ...settings],
    },
    screen: { command, args: settings },
    typed: { command, args: typed.args },
    ...(request.conversation.kind === 'resume' ? { resume: request.conversation.id } : {}),
    thread: threadOf(options, request),
    ...(request.permissions === undefined ? {} : { permissions: request.permissions }),
  };
  const files = channelFiles(request.privateFolder);
  const [program = 'devs', ...args] = holder;
  return {
    command: program,
    args: [...args, '--folder', request.privateFolder],
    env,
    ...(request.conversation.kind === 'resume' ? { conversationId: request.conversation.id } : {}),
    privateFiles: [
      { path: files.launch, text: JSON.stringify(launch) },
      ...(request.systemPrompt === undefined
        ? []
        : [{ path: files.instructions, text: instructionsOf(config, request.systemPrompt) }]),
      ...typed.privateFiles,
    ],
    manner: 'conversation',
    notes: [...mcp.notes, ...hookNotes(config, request)],
  };
}

/** Of `thread/start`: what the server does not read from options of Codex's screen. */
function threadOf(options: readonly ArgumentPart[], { folder, env }: LaunchRequest): JsonObject {
  const optionOf = (...names: readonly string[]) =>
    options.findLast((part) => part.kind === 'option' && names.includes(part.name));
  const textOf = (...names: readonly string[]) => {
    const part = optionOf(...names);
    return part?.kind === 'option' ? part.values[0] : undefined;
  };
  const isFree = optionOf('--dangerously-bypass-approvals-and-sandbox') !== undefined;
  const model = textOf('-m', '--model');
  const approvalPolicy = isFree ? 'never' : textOf('-a', '--ask-for-approval');
  const sandbox = isFree ? 'danger-full-access' : textOf('-s', '--sandbox');
  return {
    cwd: folder,
    ...(runsHooks(env) ? { config: { bypass_hook_trust: true } } : {}),
    ...(model === undefined ? {} : { model }),
    ...(approvalPolicy === undefined ? {} : { approvalPolicy }),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
}

/** Those of a conversation replace the user's own, so both are given. */
function instructionsOf({ values }: CodexConfig, systemPrompt: string): string {
  const theirs = textIn(values.developer_instructions)?.trim() ?? '';
  return theirs === '' ? systemPrompt : `${theirs}\n\n${systemPrompt}`;
}

/** The app server runs no hooks that its user has not trusted there, and has no setting for it in its files. */
const runsHooks = (env: LaunchRequest['env']): boolean => env.DEVS_CODEX_HOOKS === 'run';

function hookNotes({ values }: CodexConfig, { home, env }: LaunchRequest): readonly string[] {
  const hasHooks = existsSync(join(env.CODEX_HOME || join(home, '.codex'), 'hooks.json')) || objectIn(values.hooks);
  if (!hasHooks || runsHooks(env)) return [];
  return ['your Codex hooks do not run in runs, which use its app server. To run them, set DEVS_CODEX_HOOKS=run.'];
}
