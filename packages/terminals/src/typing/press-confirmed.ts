import { setTimeout as pause } from 'node:timers/promises';
import type { TypingTerminal } from './type-confirmed.js';

export interface PressRequest {
  readonly terminal: Pick<TypingTerminal, 'write'>;
  /** What answers the dialog. */
  readonly keys: string;
  /** Whether that dialog still stands, and devs may answer it. */
  isAsked(): boolean;
  readonly signal?: AbortSignal;
  readonly pollMs?: number;
}

/** `taken`: the dialog is gone · `stands`: it takes no key */
export type PressOutcome = 'taken' | 'stands';

/** A program draws a dialog a moment before it takes keys: Codex loses a key at the first frame. */
const SETTLING_MS = 150;
const NEXT_PRESS_MS = 1_500;
const MAX_PRESSES = 4;
const POLL_MS = 25;

/** Answers a dialog by keys, and sees it go. A key that was lost is pressed again as long as the same dialog stands. */
export async function pressConfirmed({
  terminal,
  keys,
  isAsked,
  signal,
  pollMs = POLL_MS,
}: PressRequest): Promise<PressOutcome> {
  const isGoneWithin = async (ms: number): Promise<boolean> => {
    for (const deadline = performance.now() + ms; isAsked(); await pause(pollMs, undefined, { signal }))
      if (performance.now() >= deadline) return false;
    return true;
  };
  if (await isGoneWithin(SETTLING_MS)) return 'taken';
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    await terminal.write(keys);
    if (await isGoneWithin(NEXT_PRESS_MS)) return 'taken';
  }
  return 'stands';
}
