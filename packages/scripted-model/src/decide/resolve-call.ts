import type { CallPart } from '../reply/reply.js';
import type { ModelRequest, OfferedTool } from '../request/model-request.js';
import type { ScriptedCall } from '../script/step.js';

/** An agent's name for the shell tool, and its arguments. */
interface Shell {
  readonly name: string;
  readonly input: (command: string) => object;
}
const CLAUDE_SHELL: Shell = { name: 'Bash', input: (command) => ({ command, description: 'Run a scripted command' }) };
const CODE_SHELL: Shell = { name: 'exec_command', input: (cmd) => ({ cmd }) };
const SHELLS: readonly Shell[] = [
  CLAUDE_SHELL,
  CODE_SHELL,
  { name: 'shell_command', input: (command) => ({ command }) },
  { name: 'shell', input: (command) => ({ command: ['bash', '-lc', command] }) },
  { name: 'bash', input: (command) => ({ command, description: 'Run a scripted command' }) },
  { name: 'run_shell_command', input: (command) => ({ command }) },
];

/** With newer models Codex has one tool that runs JavaScript, in which all others are functions. */
const CODE_TOOL = 'exec';

/** A call of a script as a call of a tool that this agent has. */
export function resolveCall(call: ScriptedCall, { tools }: Pick<ModelRequest, 'tools'>): CallPart {
  if (call.kind === 'tool') return toPart(call.name, call.input, tools);
  const offered = SHELLS.find(({ name }) => tools.some((tool) => tool.name === name));
  const shell = offered ?? (hasCodeTool(tools) ? CODE_SHELL : CLAUDE_SHELL);
  return toPart(shell.name, JSON.stringify(shell.input(call.command)), tools);
}

function toPart(name: string, text: string, tools: readonly OfferedTool[]): CallPart {
  const offered = namesOf(name).flatMap((known) => tools.filter((tool) => tool.name === known))[0];
  if (offered !== undefined || !hasCodeTool(tools)) {
    return { kind: 'call', name: offered?.name ?? name, text, isCustom: offered?.kind === 'custom' };
  }
  const code = `text(await tools.${name.replaceAll(/[^\w$]/g, '_')}(${text.startsWith('{') ? text : JSON.stringify(text)}));`;
  return { kind: 'call', name: CODE_TOOL, text: code, isCustom: true };
}

/** `mcp__memo__remember` as Claude Code and Codex call it, opencode and Gemini. */
const namesOf = (name: string): readonly string[] => {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined ? [name] : [name, `${server}_${tool}`, `mcp_${server}_${tool}`];
};

const hasCodeTool = (tools: readonly OfferedTool[]) =>
  tools.some(({ name, kind }) => name === CODE_TOOL && kind === 'custom');
