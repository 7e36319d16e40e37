import { join } from 'node:path';
import type { JsonObject, LaunchPlan, LaunchRequest, PrivateFile } from '@devs/core';
import { cleanEnvironment } from '../../driving/clean-environment.js';
import { fitPrompt } from '../../driving/fit-prompt.js';
import { type ArgumentPart, hasOption, lastValue, parseArguments, tokensOf } from '../../driving/parse-arguments.js';
import { shellWords } from '../../driving/shell-words.js';
import { CHOOSES_CONVERSATION, FOR_FIRST_LAUNCH, GEMINI_SYNTAX, isOneOff, withoutOptions } from './gemini-arguments.js';

/** The lowest layer of Gemini's settings: everything of the user counts for more. */
const DEFAULTS = 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH';

/**
 * The command line for one conversation: the TUI. What devs adds is in a file of the lowest layer of settings, where MCP servers and
 * hooks are joined with those of the user (measured, 0.61.0).
 */
export async function launchGemini(request: LaunchRequest): Promise<LaunchPlan> {
  const command = request.command ?? 'gemini';
  const env = cleanEnvironment(request.env);
  const user = parseArguments(request.userArgs, GEMINI_SYNTAX);
  if (isOneOff(user)) {
    return { command, args: request.userArgs, env, privateFiles: [], manner: 'one-off', notes: [] };
  }
  const isFirst = request.conversation.kind === 'first';
  const chosen = chooseConversation(isFirst ? user : withoutOptions(user, FOR_FIRST_LAUNCH), request);
  const prompt = choosePrompt(chosen.user, request);
  const ours = defaultsOf(request);
  const path = join(request.privateFolder, 'gemini-defaults.json');
  const theirs = env[DEFAULTS];
  return {
    command,
    args: [
      ...tokensOf(prompt.user),
      ...chosen.ours,
      ...(request.trustsFolder === true && !hasOption(user, '--skip-trust') ? ['--skip-trust'] : []),
      ...(prompt.text === undefined ? [] : [`--prompt-interactive=${prompt.text}`]),
    ],
    env: {
      ...(request.unattended === true ? DRAWS_BOXES : {}),
      ...env,
      ...(theirs === undefined ? { [DEFAULTS]: path } : {}),
    },
    ...(chosen.id === undefined ? {} : { conversationId: chosen.id }),
    privateFiles: [
      ...(theirs === undefined ? [{ path, text: JSON.stringify(ours.settings, null, 2) }] : []),
      ...ours.files,
      ...prompt.files,
    ],
    manner: 'conversation',
    notes: theirs === undefined ? [] : [`${DEFAULTS} is set: Gemini CLI has no tools of devs`],
  };
}

/** Without many colours its input has no frame, and its suggestions look like a draft. */
const DRAWS_BOXES = { COLORTERM: 'truecolor' };

function chooseConversation(user: readonly ArgumentPart[], { conversation }: LaunchRequest) {
  const { kind, id } = conversation;
  if (kind === 'resume') return { user, ours: ['--resume', id], id };
  if (kind === 'fresh' || !hasOption(user, ...CHOOSES_CONVERSATION)) return { user, ours: ['--session-id', id], id };
  return { user, ours: [], id: lastValue(user, '--session-id') };
}

/** The user's prompt belongs to the first launch. Ours follows it. */
function choosePrompt(user: readonly ArgumentPart[], request: LaunchRequest) {
  const { conversation, firstPrompt } = request;
  if (firstPrompt === undefined && conversation.kind === 'first') return { user, text: undefined, files: [] };
  const words = user.flatMap((part) => (part.kind === 'word' ? [part.text] : []));
  const theirs =
    conversation.kind === 'first' ? [lastValue(user, '-i', '--prompt-interactive') ?? words.join(' ')] : [];
  const wanted = [...theirs, firstPrompt ?? ''].filter((text) => text !== '');
  const options = user.filter(({ kind }) => kind === 'option');
  return { user: withoutOptions(options, ['-i', '--prompt-interactive']), ...fitPrompt(wanted.join('\n\n'), request) };
}

interface Ours {
  readonly settings: JsonObject;
  readonly files: readonly PrivateFile[];
}

function defaultsOf({ env, mcpServers = {}, systemPrompt, privateFolder, unattended }: LaunchRequest): Ours {
  const servers = Object.entries(mcpServers).map(([name, { command, args, env: secret = {} }]) => [
    name,
    // Trusted: otherwise the first call of our own tools would wait for a permission with no user there.
    { command, args: [...args], env: secret, trust: true },
  ]);
  const hasKey = (env.GEMINI_API_KEY ?? '') !== '';
  const path = join(privateFolder, 'gemini-instructions.json');
  return {
    settings: {
      ...(hasKey ? { security: { auth: { selectedType: 'gemini-api-key' } } } : {}),
      ...(unattended === true ? { general: { enableAutoUpdate: false, enableAutoUpdateNotification: false } } : {}),
      ...(servers.length === 0 ? {} : { mcpServers: Object.fromEntries(servers) }),
      ...(systemPrompt === undefined
        ? {}
        : { hooksConfig: { enabled: true }, hooks: { SessionStart: [showing(path)] } }),
    } as JsonObject,
    files: systemPrompt === undefined ? [] : [{ path, text: contextOf(systemPrompt) }],
  };
}

/** A hook of one launch that shows a private file to the model, at its start and when it is resumed. */
const showing = (path: string) => ({
  hooks: [{ name: 'devs-instructions', type: 'command', command: shellWords(['cat', path]), timeout: 10_000 }],
});

const contextOf = (text: string): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } });
