import type { ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { JsonObject, PermissionRequest, ToolAction } from '@devs/core';

/** What is known of one tool call, from all that the agent said of it so far. */
export type KnownCall = ToolCallUpdate;

/** A later word counts for more; what it leaves out stays. */
export const joinCall = (known: KnownCall | undefined, said: ToolCallUpdate): KnownCall => ({
  ...known,
  ...(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined && value !== null)) as object),
  toolCallId: said.toolCallId,
});

/** Some agents name the tool beside the protocol, and describe the call in its title: Qwen Code does. */
export function toolOf({ name, title, kind, _meta }: KnownCall): string {
  const beside = typeof _meta?.toolName === 'string' && _meta.toolName !== '' ? _meta.toolName : undefined;
  return name ?? beside ?? title ?? kind ?? 'tool';
}

export const inputOf = ({ rawInput }: KnownCall): JsonObject =>
  typeof rawInput === 'object' && rawInput !== null && !Array.isArray(rawInput) ? (rawInput as JsonObject) : {};

/** Pure: what the call does, in the same words as for every agent. */
export function actionsOf(call: KnownCall): readonly ToolAction[] {
  const diffs = diffsOf(call);
  const [path] = pathsOf(call);
  switch (kindOf(call)) {
    case 'command':
      return [{ kind: 'command', command: commandOf(call) ?? '' }];
    case 'edit':
      if (diffs.length === 0) return path === undefined ? [] : [{ kind: 'change', path, how: 'edited' }];
      return diffs.map(({ path: changed, oldText, newText }) =>
        typeof oldText === 'string'
          ? { kind: 'change', path: changed, how: 'edited', before: oldText, after: newText }
          : { kind: 'change', path: changed, how: 'written', after: newText },
      );
    case 'read':
      return path === undefined ? [] : [{ kind: 'read', path }];
    case 'other':
      return [];
  }
}

/** What is asked for, as the settings judge it. Paths are as the agent gave them. */
export function permissionOf(call: KnownCall): PermissionRequest {
  const kind = kindOf(call);
  const command = kind === 'command' ? commandOf(call) : undefined;
  const tool = toolOf(call);
  return {
    tool,
    kind,
    ...(command === undefined ? {} : { command }),
    paths: pathsOf(call),
    isOwnTool: kind === 'other' && OWN_TOOL.test(tool),
  };
}

/** As agents name a tool of an MCP server: `mcp__devs__x`, `devs_x`, `devs.x`, `x (devs MCP Server)`. */
const OWN_TOOL =
  /^(?:mcp__)?(?:plugin_)?devs(?:__|[._/:-])(?:workflow|handoff|task|memory)_[a-z_]+$|^(?:workflow|handoff|task|memory)_[a-z_]+ \(devs MCP Server\)$/;

/** The command, or the change, for the user to judge. */
export function describeCall(call: KnownCall): string {
  const command = commandOf(call);
  if (kindOf(call) === 'command' && command !== undefined) return command.slice(0, MAX_CHARS);
  const diffs = diffsOf(call);
  if (diffs.length > 0) return diffs.map(describeDiff).join('\n').slice(0, MAX_CHARS);
  const paths = pathsOf(call);
  const input = JSON.stringify(inputOf(call));
  const about = paths.length > 0 ? paths.join(', ') : input === '{}' ? '' : input;
  return `${toolOf(call)} ${about}`.trim().slice(0, MAX_CHARS);
}

/** What came of it, as text. */
export function outputOf({ content, rawOutput }: KnownCall): string {
  const texts = (content ?? []).flatMap((part) => (isText(part) ? [part.content.text] : []));
  if (texts.length > 0) return texts.join('\n').slice(0, MAX_OUTPUT);
  if (rawOutput === undefined || rawOutput === null) return '';
  return (typeof rawOutput === 'string' ? rawOutput : JSON.stringify(rawOutput)).slice(0, MAX_OUTPUT);
}

const MAX_CHARS = 4_000;
const MAX_OUTPUT = 20_000;

function kindOf(call: KnownCall): PermissionRequest['kind'] {
  switch (call.kind) {
    case 'execute':
      return 'command';
    case 'edit':
    case 'delete':
    case 'move':
      return 'edit';
    case 'read':
    case 'search':
      return 'read';
    default:
      return typeof inputOf(call).command === 'string' ? 'command' : 'other';
  }
}

function commandOf(call: KnownCall): string | undefined {
  const { command } = inputOf(call);
  if (typeof command === 'string') return command;
  if (Array.isArray(command)) return command.map(String).join(' ');
  return call.title?.replace(/^`|`$/g, '');
}

type Diff = Extract<ToolCallContent, { type: 'diff' }>;

const diffsOf = ({ content }: KnownCall): readonly Diff[] =>
  (content ?? []).filter((part): part is Diff => part.type === 'diff');

const PATH_KEYS = ['file_path', 'filePath', 'path', 'abs_path', 'absolute_path'];

function pathsOf(call: KnownCall): readonly string[] {
  const input = inputOf(call);
  const named = PATH_KEYS.flatMap((key) => (typeof input[key] === 'string' ? [input[key]] : []));
  const places = (call.locations ?? []).map(({ path }) => path);
  return [...new Set([...diffsOf(call).map(({ path }) => path), ...places, ...named])];
}

const describeDiff = ({ path, oldText, newText }: Diff): string =>
  [path, ...lines('-', oldText ?? ''), ...lines('+', newText)].join('\n');

const lines = (sign: string, text: string) => (text === '' ? [] : text.split('\n').map((line) => `${sign} ${line}`));

const isText = (part: ToolCallContent): part is ToolCallContent & { content: { type: 'text'; text: string } } =>
  part.type === 'content' && part.content.type === 'text';
