/** How a hook of ours is started: a program and its arguments. */
export interface HookCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Codex starts hooks through a shell, and waits for all of them; what takes long goes on in the background by itself. At
 * the end of a conversation it gives them three seconds and complains about more.
 */
const TIMEOUT_SECONDS = { SessionStart: 10, UserPromptSubmit: 10, PreCompact: 10, Stop: 10, SessionEnd: 3 } as const;

/** What belongs into `hooks.json` of Codex's home folder. */
export function codexHooks({ file, args }: HookCommand): object {
  const command = [file, ...args].map(shellWord).join(' ');
  const hooks = Object.entries(TIMEOUT_SECONDS).map(([event, timeout]) => [
    event,
    [{ hooks: [{ type: 'command', command, timeout }] }],
  ]);
  return { hooks: Object.fromEntries(hooks) };
}

/** One word, whatever is in it, for a POSIX shell. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
