import { closeSync, constants, lstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
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

/** Where a log may be written. Throws where it may not. */
export interface LogPlace {
  readonly file: string;
  prepare(): void;
}

/** In a folder of the user's, which is made. */
export const userPlace = (file: string): LogPlace => ({
  file,
  prepare: () => void mkdirSync(dirname(file), { recursive: true, mode: 0o700 }),
});

/**
 * Writes to the first place that can be written, and never throws: a hook whose log is full or gone does its work.
 * A log that has grown too large is kept once under another name.
 */
export function createHookLog(places: readonly LogPlace[], now: () => number): HookLog {
  return (event) => {
    const line = `${JSON.stringify({ at: new Date(now()).toISOString(), ...event })}\n`;
    for (const place of places) if (append(place, line)) return;
  };
}

function append({ file, prepare }: LogPlace, line: string): boolean {
  try {
    prepare();
    if ((lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_BYTES) renameSync(file, `${file}.old`);
    // A planted link is not followed.
    const open = openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
    try {
      writeSync(open, line);
    } finally {
      closeSync(open);
    }
    return true;
  } catch {
    return false;
  }
}

/** Windows has no links of that kind, and no such flag. */
const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
