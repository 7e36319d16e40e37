import type { ArgumentPart, ArgumentSyntax } from '../../driving/parse-arguments.js';
import { hasOption } from '../../driving/parse-arguments.js';

/** The options of Claude Code 2.1 that take values; all others take none or are new. */
export const CLAUDE_SYNTAX: ArgumentSyntax = {
  ...takes('many', '--add-dir --allowedTools --allowed-tools --betas --disallowedTools --disallowed-tools --file'),
  ...takes('many', '--mcp-config --tools'),
  ...takes('maybe', '--cloud -d --debug --from-pr --prompt-suggestions --remote-control -r --resume --teleport'),
  ...takes('maybe', '-w --worktree'),
  ...takes('one', '--agent --agents --append-system-prompt --append-system-prompt-file --autocompact --debug-file'),
  ...takes('one', '--effort --environment --fallback-model --input-format --json-schema --max-budget-usd --max-turns'),
  ...takes('one', '--model -n --name --output-format --permission-mode --permission-prompt-tool --permission-prompts'),
  ...takes('one', '--plugin-dir --plugin-url --remote-control-session-name-prefix --session-id --setting-sources'),
  ...takes('one', '--settings --system-prompt --system-prompt-file --system-prompt-snapshot'),
  ...takes('none', '--allow-dangerously-skip-permissions --ax-screen-reader --bare --bg --background --brief --chrome'),
  ...takes('none', '-c --continue --dangerously-skip-permissions --desktop --disable-slash-commands'),
  ...takes('none', '--exclude-dynamic-system-prompt-sections --fork-session --forward-subagent-text -h --help --ide'),
  ...takes('none', '--include-hook-events --include-partial-messages --no-chrome --no-session-persistence -p --print'),
  ...takes('none', '--replay-user-messages --restricted --safe-mode --strict-mcp-config --tmux --verbose -v --version'),
};

function takes<Values extends string>(values: Values, names: string): Record<string, Values> {
  return Object.fromEntries(names.split(' ').map((name) => [name, values]));
}

/** Options that choose a conversation: for the first launch only. */
export const CHOOSES_CONVERSATION: readonly string[] = [
  '-c',
  '--continue',
  '-r',
  '--resume',
  '--session-id',
  '--fork-session',
  '--from-pr',
  '--teleport',
];

const NOT_ON_THE_TERMINAL = [
  '-p',
  '--print',
  '-h',
  '--help',
  '-v',
  '--version',
  '--bg',
  '--background',
  '--cloud',
  '--desktop',
  '--tmux',
];

const SUB_COMMANDS = new Set([
  'agents',
  'attach',
  'auth',
  'auto-mode',
  'config',
  'doctor',
  'gateway',
  'import',
  'install',
  'kill',
  'logs',
  'mcp',
  'plugin',
  'plugins',
  'purge',
  'respawn',
  'rm',
  'setup-token',
  'stop',
  'ultrareview',
  'update',
  'upgrade',
]);

/** Whether the arguments ask for something else than a conversation on this terminal. */
export function isOneOff(parts: readonly ArgumentPart[]): boolean {
  const [first] = parts;
  return hasOption(parts, ...NOT_ON_THE_TERMINAL) || (first?.kind === 'word' && SUB_COMMANDS.has(first.text));
}
