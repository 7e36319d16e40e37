/** Problems with a request, by status. */
export const PROBLEMS = {
  'bad-request': 400,
  'no-capability': 401,
  'not-allowed': 403,
  'not-found': 404,
  'too-slow': 408,
  conflict: 409,
  'too-large': 413,
  'too-many': 429,
  failed: 500,
  unavailable: 503,
} as const;
export type ProblemCode = keyof typeof PROBLEMS;

/** A request was refused, or could not be made: `code` says which. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
