export interface Usage {
  /** All of the input; `cached` and `written` are parts of it. */
  readonly input: number;
  readonly output: number;
  /** Read from the cache. */
  readonly cached: number;
  /** Put into the cache. */
  readonly written: number;
}
