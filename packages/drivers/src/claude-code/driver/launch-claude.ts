import { join } from 'node:path';
import type { AgentSettings, LaunchPlan, LaunchRequest, PrivateFile } from '@devs/core';
import { cleanEnvironment } from '../../driving/clean-environment.js';
import { fitPrompt } from '../../driving/fit-prompt.js';
import { type ArgumentPart, hasOption, lastValue, parseArguments, tokensOf } from '../../driving/parse-arguments.js';
import { CHOOSES_CONVERSATION, CLAUDE_SYNTAX, isOneOff } from './claude-arguments.js';
import { describeCompaction } from './claude-window.js';
import { holdByStream, usesStream } from './hold-by-stream.js';
import { keptPermissionMode } from './kept-permission-mode.js';
import { mergeSettings } from './merge-settings.js';
import { readGivenFile, readSettings } from './read-given.js';

/**
 * The command line for one conversation. Our options come first, each as `--name=value`: a user's option with many
 * values would swallow what follows it, and one of ours would swallow their prompt.
 */
export async function launchClaude(request: LaunchRequest, holder?: readonly string[]): Promise<LaunchPlan> {
  const command = request.command ?? 'claude';
  const env = environment(request);
  const given = parseArguments(request.userArgs, CLAUDE_SYNTAX);
  if (isOneOff(given)) {
    return { command, args: request.userArgs, env, privateFiles: [], manner: 'one-off', notes: [] };
  }
  const told = await tellPrompt(given, request);
  const hooked = await addSettings(told.user, request);
  const mcp = mcpConfig(request);
  const chosen = chooseConversation(hooked.user, request);
  const settled = applySettings(chosen.user, request.settings ?? {});
  const ours = [...chosen.ours, ...settled.ours, ...told.ours, ...hooked.ours, ...mcp.ours];
  const files = [...told.files, ...hooked.files, ...mcp.files];
  const notes = [...told.notes, ...hooked.notes, ...describeCompaction(env)];
  const { id } = chosen;
  if (holder !== undefined && id !== undefined && (await usesStream(request))) {
    const { user, text } = choosePrompt(settled.user, request);
    const claude = [command, ...ours, ...tokensOf(user)];
    const { files: handed, ...program } = holdByStream({ holder, request, id, claude, prompt: text });
    const privateFiles = [...files, ...handed];
    return { ...program, env, conversationId: id, privateFiles, manner: 'conversation', notes };
  }
  const prompt = splitPrompt(settled.user, request);
  return {
    command,
    args: [...ours, ...tokensOf(prompt.user), ...(prompt.text === undefined ? [] : ['--', prompt.text])],
    env,
    ...(id === undefined ? {} : { conversationId: id }),
    privateFiles: [...files, ...prompt.files],
    manner: 'conversation',
    notes,
  };
}

interface Share {
  /** The remaining arguments of the user. */
  readonly user: readonly ArgumentPart[];
  readonly ours: readonly string[];
  readonly files: readonly PrivateFile[];
  readonly notes: readonly string[];
}

const untouched = (user: readonly ArgumentPart[]): Share => ({ user, ours: [], files: [], notes: [] });

function environment({ env, unattended, trustsFolder }: LaunchRequest): Readonly<Record<string, string>> {
  return {
    ...(unattended === true ? WITHOUT_A_PERSON : {}),
    ...(trustsFolder === true ? TRUSTS_FOLDER : {}),
    ...cleanEnvironment(env),
  };
}

const WITHOUT_A_PERSON = {
  // A suggestion looks like a draft of the user in the input box.
  CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
  CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '1',
};

/**
 * The only way to trust a folder for one launch; the others write to the settings of the user. In 2.1.325 it is read by the
 * trust checks alone and not passed on to commands: nothing else is taken for sandboxed.
 */
const TRUSTS_FOLDER = { CLAUDE_CODE_SANDBOXED: '1' };

/**
 * By file, which works beside `--append-system-prompt` (measured); two files do not, so the user's file becomes part
 * of ours.
 */
async function tellPrompt(user: readonly ArgumentPart[], request: LaunchRequest): Promise<Share> {
  const { systemPrompt, privateFolder, folder } = request;
  if (systemPrompt === undefined) return untouched(user);
  const path = join(privateFolder, 'system-prompt.md');
  const theirs = lastValue(user, APPEND_FILE);
  const text = theirs === undefined ? undefined : await readGivenFile(theirs, folder);
  if (theirs !== undefined && text === undefined) {
    return { ...untouched(user), notes: [`${theirs} cannot be read: the agent was told nothing else`] };
  }
  return {
    user: theirs === undefined ? user : withoutOptions(user, [APPEND_FILE]),
    ours: [`${APPEND_FILE}=${path}`],
    files: [{ path, text: text === undefined ? systemPrompt : `${text.trimEnd()}\n\n${systemPrompt}` }],
    notes: [],
  };
}

const APPEND_FILE = '--append-system-prompt-file';

async function addSettings(user: readonly ArgumentPart[], request: LaunchRequest): Promise<Share> {
  const { hooks, privateFolder, folder } = request;
  const mode = await keptPermissionMode(request);
  if (hooks === undefined && mode === undefined) return untouched(user);
  const theirs = lastValue(user, '--settings');
  const settings = theirs === undefined ? {} : await readSettings(theirs, folder);
  if (settings === undefined) {
    return { ...untouched(user), notes: ['the --settings cannot be read: no hooks of devs were added'] };
  }
  const path = join(privateFolder, 'settings.json');
  return {
    user: withoutOptions(user, ['--settings']),
    ours: [`--settings=${path}`],
    files: [{ path, text: JSON.stringify(mergeSettings(settings, { hooks, mode }), null, 2) }],
    notes: [],
  };
}

/** `--mcp-config` may be given several times, and all of them count (measured). */
function mcpConfig({ mcpServers = {}, privateFolder }: LaunchRequest): Pick<Share, 'ours' | 'files'> {
  if (Object.keys(mcpServers).length === 0) return { ours: [], files: [] };
  const path = join(privateFolder, 'mcp.json');
  const servers = Object.entries(mcpServers).map(([name, server]) => [name, { type: 'stdio', ...server }] as const);
  const text = JSON.stringify({ mcpServers: Object.fromEntries(servers) }, null, 2);
  // Otherwise the first call of our own tools would wait for a permission with no user there.
  const allowed = Object.keys(mcpServers).map((name) => `mcp__${name}`);
  return { ours: [`--mcp-config=${path}`, `--allowedTools=${allowed.join(',')}`], files: [{ path, text }] };
}

function chooseConversation(user: readonly ArgumentPart[], { conversation }: LaunchRequest) {
  const { kind, id } = conversation;
  if (kind === 'resume') return { user: withoutOptions(user, CHOOSES_CONVERSATION), ours: [`--resume=${id}`], id };
  if (kind === 'fresh') return { user: withoutOptions(user, CHOOSES_CONVERSATION), ours: [`--session-id=${id}`], id };
  if (!hasOption(user, ...CHOOSES_CONVERSATION)) return { user, ours: [`--session-id=${id}`], id };
  return { user, ours: [], id: lastValue(user, '--session-id') };
}

/** As last observed. A flag that allows more than was in force at the end is left out. */
function applySettings(user: readonly ArgumentPart[], settings: AgentSettings): Pick<Share, 'user' | 'ours'> {
  const { model, effort, permissionMode } = settings;
  const replaced = [
    ...(model === undefined ? [] : ['--model']),
    ...(effort === undefined ? [] : ['--effort']),
    ...(permissionMode === undefined ? [] : ['--permission-mode', '--dangerously-skip-permissions']),
  ];
  return {
    user: withoutOptions(user, replaced),
    ours: [
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(effort === undefined ? [] : [`--effort=${effort}`]),
      ...(permissionMode === undefined ? [] : [`--permission-mode=${permissionMode}`]),
    ],
  };
}

/** The user's prompt belongs to the first launch. Ours follows it, in the same argument. */
function splitPrompt(user: readonly ArgumentPart[], request: LaunchRequest) {
  if (request.conversation.kind === 'first' && request.firstPrompt === undefined)
    return { user, text: undefined, files: [] };
  const chosen = choosePrompt(user, request);
  return { user: chosen.user, ...fitPrompt(chosen.text, request) };
}

function choosePrompt(user: readonly ArgumentPart[], { conversation, firstPrompt }: LaunchRequest) {
  const options = user.filter(({ kind }) => kind === 'option');
  const isFirst = conversation.kind === 'first';
  const words = isFirst ? user.flatMap((part) => (part.kind === 'word' ? [part.text] : [])) : [];
  const wanted = [...words.slice(0, 1), ...(firstPrompt === undefined ? [] : [firstPrompt])];
  return { user: options, text: wanted.join('\n\n') };
}

const withoutOptions = (parts: readonly ArgumentPart[], names: readonly string[]): readonly ArgumentPart[] =>
  parts.filter((part) => part.kind !== 'option' || !names.includes(part.name));
