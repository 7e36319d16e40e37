import { join } from 'node:path';
import { type AgentSettings, isKeptBack, type LaunchPlan, type LaunchRequest, type PrivateFile } from '@devs/core';
import { cleanEnvironment } from '../../driving/clean-environment.js';
import {
  type ArgumentPart,
  type ArgumentSyntax,
  hasOption,
  lastValue,
  parseArguments,
  tokensOf,
} from '../../driving/parse-arguments.js';

/** The options of `devs agent` that take a value. */
const SYNTAX: ArgumentSyntax = {
  ...takes('one', '--conversation --resume --system-prompt-file --mcp-config --model --provider --base-url --scenario'),
  ...takes('one', '--window --permissions --allow --ask --deny --specs-tas --specs-prd --reinject-every'),
  ...takes('one', '--sandbox --sandbox-read --sandbox-write --sandbox-pass --project'),
  ...takes('one', '--prompt-file --keys-file'),
  ...takes('none', '-h --help --no-network'),
};

/** For one launch, and set only by devs. */
const OF_ONE_LAUNCH = ['--prompt-file', '--keys-file'];

const CHOOSES_CONVERSATION = ['--conversation', '--resume'];

function takes<Values extends string>(values: Values, names: string): Record<string, Values> {
  return Object.fromEntries(names.split(' ').map((name) => [name, values]));
}

/** The command line for one conversation. `program` is what starts the agent, such as `node devs.mjs agent`. */
export function launchBuiltin(program: readonly string[], request: LaunchRequest): LaunchPlan {
  const [command = 'devs', ...first] = request.command === undefined ? program : [request.command, 'agent'];
  const { env, keys } = withoutKeys(cleanEnvironment(request.env));
  const user = parseArguments(request.userArgs, SYNTAX);
  if (hasOption(user, '-h', '--help')) {
    const args = [...first, ...request.userArgs];
    return { command, args, env, privateFiles: [], manner: 'one-off', notes: [] };
  }
  const conversation = chooseConversation(user, request);
  const files = privateFiles(request, { prompt: choosePrompt(user, request), keys });
  const options = user
    .filter(({ kind }) => kind === 'option')
    .filter(isNot([...CHOOSES_CONVERSATION, ...OF_ONE_LAUNCH]));
  const settled = applySettings(options, request.settings ?? {});
  return {
    command,
    args: [...first, ...conversation.args, ...files.flatMap(({ option, path }) => [option, path]), ...settled],
    env,
    conversationId: conversation.id,
    privateFiles: files.map(({ option: _, ...file }) => file),
    manner: 'conversation',
    notes: request.hooks === undefined ? [] : ['the built-in agent has no hooks: it is watched by its own records'],
  };
}

/** The first launch opens the conversation named by the user, all others the given one. */
function chooseConversation(user: readonly ArgumentPart[], { conversation }: LaunchRequest) {
  const { kind, id } = conversation;
  const named = kind === 'first' ? user.findLast((part) => !isNot(CHOOSES_CONVERSATION)(part)) : undefined;
  const theirs = named?.kind === 'option' ? named.values[0] : undefined;
  if (named?.kind === 'option' && theirs !== undefined) return { id: theirs, args: [named.name, theirs] };
  return { id, args: [kind === 'resume' ? '--resume' : '--conversation', id] };
}

interface OptionFile extends PrivateFile {
  readonly option: string;
}

type Keys = Readonly<Record<string, string>>;

/** Every program that the agent runs could read its environment. The address of the store is not for the agent at all. */
function withoutKeys(given: Keys): { readonly env: Keys; readonly keys: Keys } {
  const entries = Object.entries(given);
  const isKey = ([name, value]: readonly [string, string]) => isKeptBack(name, value) && !name.startsWith('SSH_');
  return {
    env: Object.fromEntries(entries.filter((entry) => !isKey(entry))),
    keys: Object.fromEntries(entries.filter((entry) => isKey(entry) && entry[0] !== 'DEVS_STORE')),
  };
}

/** Other users can read a command line, which has little room, and the environment of a server may hold a secret. */
function privateFiles(
  { systemPrompt, mcpServers, privateFolder }: LaunchRequest,
  { prompt, keys }: { readonly prompt: string; readonly keys: Keys },
): readonly OptionFile[] {
  const file = (option: string, name: string, text: string) => ({ option, path: join(privateFolder, name), text });
  const isOnce = true;
  return [
    ...(prompt === '' ? [] : [{ ...file('--prompt-file', 'first-prompt.md', prompt), isOnce } as const]),
    ...(Object.keys(keys).length === 0
      ? []
      : [{ ...file('--keys-file', 'keys.json', JSON.stringify(keys)), isOnce } as const]),
    ...(systemPrompt === undefined ? [] : [file('--system-prompt-file', 'system-prompt.md', systemPrompt)]),
    ...(mcpServers === undefined ? [] : [file('--mcp-config', 'mcp.json', JSON.stringify({ mcpServers }))]),
  ];
}

/** The user's prompt is for the first launch only. */
function choosePrompt(user: readonly ArgumentPart[], request: LaunchRequest): string {
  const words = user.flatMap((part) => (part.kind === 'word' ? [part.text] : []));
  const own = request.conversation.kind === 'first' ? words : [];
  return [...own, ...(request.firstPrompt === undefined ? [] : [request.firstPrompt])].join('\n\n');
}

/** Settings changed by hand in an earlier process override the arguments. */
function applySettings(user: readonly ArgumentPart[], { model, permissionMode }: AgentSettings): readonly string[] {
  const changes = [
    ...(model === undefined || lastValue(user, '--model') === model ? [] : ['--model', model]),
    ...(permissionMode === undefined ? [] : ['--permissions', permissionMode]),
  ];
  const replaced = changes.filter((word) => word.startsWith('--'));
  return [...tokensOf(user.filter(isNot(replaced))), ...changes];
}

const isNot = (names: readonly string[]) => (part: ArgumentPart) =>
  part.kind !== 'option' || !names.includes(part.name);
