/** A secret in a text: where it is, and what is put in its place. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}
