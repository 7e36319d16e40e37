import type { Usage } from './usage.js';

/** A model's answer, before an API encodes it. */
export type Reply = Answer | Refusal;

export interface Answer {
  readonly kind: 'answer';
  readonly parts: readonly AnswerPart[];
  readonly ending: Ending;
  readonly usage: Usage;
  readonly delayMs: number;
  readonly paceMs: number;
}

export type AnswerPart =
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | CallPart;

export interface CallPart {
  readonly kind: 'call';
  readonly name: string;
  /** A custom tool takes free text instead of JSON. */
  readonly isCustom: boolean;
  readonly text: string;
}

export type Ending =
  | { readonly kind: 'complete' }
  /** The model may write no more. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'failure'; readonly error: ModelError };

interface Refusal {
  readonly kind: 'refusal';
  readonly error: ModelError;
  readonly delayMs: number;
}

export interface ModelError {
  readonly status: number;
  /** Default: the API's own word for the status. */
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The prompt is longer than the window: every API says it in its own way. */
  readonly overflow?: { readonly tokens: number; readonly window: number } | undefined;
}
