import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** One line of JSON each. `CONTEXT_REFRESH_INJECTED` counts what the reminders cost. */
type HookLogEvent =
  | { readonly event: 'HOOK_FAILED'; readonly hook: string; readonly error: string }
  | { readonly event: 'HOOK_SETTING_IGNORED'; readonly problem: string }
  | { readonly event: 'HANDOFF_INJECTED'; readonly conversation: string; readonly chars: number }
  | { readonly event: 'OPEN_MATTERS_INJECTED'; readonly conversation: string; readonly chars: number }
  | {
      readonly event: 'CONTEXT_REFRESH_INJECTED';
      readonly conversation: string;
      readonly reason: string;
      readonly chars: number;
      /** All reminders of the conversation together, which stay in its context. */
      readonly totalChars: number;
    };

export type HookLog = (event: HookLogEvent) => void;

const LARGEST_BYTES = 256 * 1024;

/**
 * Writes to the first file that can be written, and never throws: a hook whose log is full or gone does its work.
 * A log that has grown too large is kept once under another name.
 */
export function createHookLog(files: readonly string[], now: () => number): HookLog {
  return (event) => {
    const line = `${JSON.stringify({ at: new Date(now()).toISOString(), ...event })}\n`;
    for (const file of files) if (append(file, line)) return;
  };
}

function append(file: string, line: string): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_BYTES) renameSync(file, `${file}.old`);
    appendFileSync(file, line, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
