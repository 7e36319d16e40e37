/** Time and size limits for every caller. */
export interface Limits {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly checkMs: number;
  readonly connections: number;
  /** How long a WebSocket may be silent before its first message. */
  readonly helloMs: number;
}

export const LIMITS: Limits = {
  headersMs: 5_000,
  requestMs: 30_000,
  checkMs: 1_000,
  connections: 1_024,
  helloMs: 2_000,
};
