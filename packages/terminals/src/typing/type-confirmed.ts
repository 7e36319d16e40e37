import { setTimeout as pause } from 'node:timers/promises';
import {
  decideTyping,
  type InputReading,
  type ScreenView,
  TYPING_POLICY,
  type TypingKeys,
  type TypingOutcome,
  type TypingPhase,
  type TypingPolicy,
} from '@devs/core';

/** What typing needs of a terminal. */
export interface TypingTerminal {
  /** The current screen, or `exited`. */
  look(): ScreenView | 'exited';
  /** Resolves when the terminal has taken it; `exited` if no process reads any more. */
  write(data: string): Promise<unknown>;
}

export interface TypingRequest {
  readonly terminal: TypingTerminal;
  readonly text: string;
  /** Where the agent's input is and what it holds; the agent's adapter knows, and `readInput` helps. */
  readInput(view: ScreenView, text: string): InputReading;
  /** Whether the agent's own records show the prompt. A rejection counts as not yet. */
  isDelivered(): Promise<boolean>;
  readonly policy?: Partial<TypingPolicy>;
  readonly signal?: AbortSignal;
  /** How often it looks. */
  readonly pollMs?: number;
}

const POLL_MS = 50;
const PASTE_BEGIN = '\u001b[200~';
const PASTE_END = '\u001b[201~';

/**
 * Types a prompt and sees it arrive, or says that it did not. Jobs for the same terminal must not run at once: that is for
 * the caller to see to.
 */
export async function typeConfirmed(request: TypingRequest): Promise<TypingOutcome> {
  const { terminal, text, signal, pollMs = POLL_MS } = request;
  const policy = { ...TYPING_POLICY, ...request.policy };
  let phase: TypingPhase = { kind: 'awaiting-prompt', since: performance.now() };
  for (;;) {
    if (signal?.aborted) return interrupted(phase);
    const view = terminal.look();
    const delivered = phase.kind !== 'awaiting-prompt' && (await request.isDelivered().catch(() => false));
    const step = decideTyping(phase, { ...observe(view, request), at: performance.now(), delivered }, { text, policy });
    if (step.outcome !== undefined) return step.outcome;
    phase = step.phase;
    if (step.keys !== undefined) await terminal.write(keysOf(step.keys, text));
    else await pause(pollMs);
  }
}

function observe(view: ScreenView | 'exited', { readInput, text }: TypingRequest) {
  if (view === 'exited') {
    return {
      exited: true,
      bracketedPaste: false,
      prompt: 'hidden',
      draft: 'empty',
      dialog: false,
      busy: false,
    } as const;
  }
  return { exited: false, bracketedPaste: view.bracketedPaste, ...readInput(view, text) };
}

/** The end of a paste inside a text would let the rest of it be typed. */
function keysOf(keys: TypingKeys, text: string): string {
  if (keys === 'enter') return '\r';
  const safe = text.replaceAll(PASTE_END, '').replaceAll('\u001b', '');
  return keys === 'paste' ? `${PASTE_BEGIN}${safe.replace(/\r\n?/g, '\n')}${PASTE_END}` : safe;
}

const interrupted = (phase: TypingPhase): TypingOutcome =>
  phase.kind === 'awaiting-prompt'
    ? { kind: 'refused', reason: 'interrupted' }
    : { kind: 'unconfirmed', reason: 'interrupted', enters: phase.kind === 'awaiting-delivery' ? phase.enters : 0 };
