/** One scripted action of the model. */
export type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'think'; readonly text: string }
  /** Ends the turn: what follows is for when all these tools have answered. */
  | { readonly kind: 'call'; readonly calls: readonly ScriptedCall[] }
  /** For this turn and those behind it. */
  | { readonly kind: 'usage'; readonly usage: ScriptedUsage }
  /** Before the first byte. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Between the pieces of the answer. */
  | { readonly kind: 'pace'; readonly ms: number }
  /** The answer ends after this many characters: the model's output limit. */
  | { readonly kind: 'cut'; readonly after: number }
  | Fault
  | { readonly kind: 'repeat'; readonly times: number; readonly steps: readonly Step[] };

export type ScriptedCall =
  | { readonly kind: 'tool'; readonly name: string; readonly input: string }
  /** A shell command, run with the agent's own tool. */
  | { readonly kind: 'run'; readonly command: string };

export interface ScriptedUsage {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  /** How much of the input was read from the cache. */
  readonly cached?: number | undefined;
}

/** What goes wrong; `times`: only for the first tries of a turn. */
export type Fault = { readonly times?: number | undefined } & (
  | { readonly kind: 'error'; readonly error: ScriptedError; readonly after?: number | undefined }
  /** The prompt is too long, in the words of the API. */
  | { readonly kind: 'overflow' }
  /** The connection breaks after this many characters. */
  | { readonly kind: 'drop'; readonly after: number }
  /** Nothing follows after this many characters, until the client gives up. */
  | { readonly kind: 'hang'; readonly after: number }
);

interface ScriptedError {
  readonly status: number;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}
