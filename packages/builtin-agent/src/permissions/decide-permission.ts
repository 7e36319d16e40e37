import { showHiddenMarks } from '@devs/core';
import type { OfferedTool } from '../tools/create-tool-box.js';
import { OWN_SERVER } from '../tools/open-tools.js';

/** `allow`: everything, within the worktree · `ask`: what no rule allows is asked for · `deny`: it is refused */
export type PermissionMode = 'ask' | 'allow' | 'deny';
export const PERMISSION_MODES: readonly PermissionMode[] = ['ask', 'allow', 'deny'];

export interface PermissionPolicy {
  readonly mode: PermissionMode;
  /** A tool's name, or how a command begins: `npm test`. */
  readonly rules: readonly string[];
  /** Counts for more than `rules`. */
  readonly ask?: readonly string[];
  /** Counts for more than both. */
  readonly deny?: readonly string[];
}

export interface AskedCall {
  readonly tool: Pick<OfferedTool, 'name' | 'server' | 'isReadOnly'>;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The server that devs itself gives to its agents. */
const TRUSTED_SERVER = 'devs';

/** Pure. What only looks, and the workflow's own tools, need no permission. */
export function decidePermission(
  call: AskedCall,
  { mode, rules, ask = [], deny = [] }: PermissionPolicy,
): 'allowed' | 'ask' | 'denied' {
  const { tool } = call;
  if (deny.some((rule) => fits(rule, call))) return 'denied';
  if (ask.some((rule) => fits(rule, call))) return 'ask';
  const looksOnly = tool.server === OWN_SERVER && tool.isReadOnly;
  if (mode === 'allow' || looksOnly || tool.server === TRUSTED_SERVER) return 'allowed';
  if (rules.some((rule) => fits(rule, call))) return 'allowed';
  return mode === 'ask' ? 'ask' : 'denied';
}

/** The rule that would have allowed this call, and others like it. */
export const ruleFor = (call: AskedCall): string =>
  isCommand(call) ? wordsOf(call).map(quoted).join(' ') : call.tool.name;

/** `run_command npm test`, in one line of bounded length. */
export function describeCall({ tool, input }: AskedCall): string {
  const about = isCommand({ tool, input })
    ? wordsOf({ tool, input }).map(quoted).join(' ')
    : typeof input.path === 'string'
      ? input.path
      : JSON.stringify(input);
  return showHiddenMarks(`${tool.name} ${about}`)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, 300);
}

/** By whole words: `npm test` is not a beginning of `npm tested`. */
function fits(rule: string, call: AskedCall): boolean {
  if (rule === call.tool.name) return true;
  if (!isCommand(call)) return false;
  const allowed = rule.trim().split(/\s+/);
  const words = wordsOf(call).map(quoted).join(' ').split(' ');
  return rule.trim() !== '' && allowed.every((word, at) => words[at] === word);
}

const isCommand = ({ tool }: AskedCall) => tool.server === OWN_SERVER && tool.name === 'run_command';

const wordsOf = ({ input }: AskedCall): readonly string[] =>
  Array.isArray(input.command) ? input.command.map(String) : [];

/** A word with blanks in it must not pass for several. */
const quoted = (word: string) => (/^[^\s"]+$/.test(word) ? word : JSON.stringify(word));
