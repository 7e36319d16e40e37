/** Milliseconds since 1970. Injected, so that tests about hours take none. */
export interface Clock {
  now(): number;
}
