import type { JsonObject, PermissionRequest } from '@devs/core';

/** One use of a tool, as Claude Code names it. */
export interface ToolUse {
  readonly tool: string;
  readonly input: JsonObject;
}

const MAX_CHARS = 4_000;

/** The command, or the change, for the user to judge. Pure. */
export function describeUse({ tool, input }: ToolUse): string {
  if (typeof input.command === 'string') return input.command.slice(0, MAX_CHARS);
  const [path] = pathsOf(input);
  const change = [...lines('-', input.old_string), ...lines('+', input.new_string ?? input.content)];
  if (path !== undefined && kindOf(tool) === 'edit') return [path, ...change].join('\n').slice(0, MAX_CHARS);
  const about = path ?? (typeof input.url === 'string' ? input.url : JSON.stringify(input));
  return about.slice(0, MAX_CHARS);
}

/** What is asked for, as the settings judge it. Paths are as the agent gave them. Pure. */
export function requestOf({ tool, input }: ToolUse): PermissionRequest {
  const kind = kindOf(tool);
  return {
    tool,
    kind,
    ...(kind === 'command' && typeof input.command === 'string' ? { command: input.command } : {}),
    paths: pathsOf(input),
    isOwnTool: OWN_TOOL.test(tool),
  };
}

const OWN_TOOL = /^mcp__devs__(?:workflow|handoff|task|memory)_[a-z_]+$/;

const KINDS: Readonly<Record<string, PermissionRequest['kind']>> = {
  Bash: 'command',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Read: 'read',
  Glob: 'read',
  Grep: 'read',
  LS: 'read',
};

const kindOf = (tool: string): PermissionRequest['kind'] => KINDS[tool] ?? 'other';

const PATH_KEYS = ['file_path', 'notebook_path', 'path'];

const pathsOf = (input: JsonObject): readonly string[] =>
  PATH_KEYS.flatMap((key) => (typeof input[key] === 'string' ? [input[key]] : []));

const lines = (sign: string, text: unknown): readonly string[] =>
  typeof text !== 'string' || text === '' ? [] : text.split('\n').map((line) => `${sign} ${line}`);
