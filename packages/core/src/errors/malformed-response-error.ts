import { DevsError } from './devs-error.js';

/** The model's answers stayed malformed after every correction that is allowed. */
export class MalformedResponseError extends DevsError {
  readonly code = 'RESPONSE_MALFORMED';
  /** The last answer. */
  readonly raw: string;
  readonly problems: readonly string[];
  readonly corrections: number;

  constructor({ raw, problems, corrections, cause }: MalformedResponse) {
    const after = corrections === 1 ? 'one correction' : `${corrections} corrections`;
    super(`Not a SAOP envelope after ${after}: ${problems.join('; ')}`, { cause });
    this.raw = raw;
    this.problems = problems;
    this.corrections = corrections;
  }
}

interface MalformedResponse {
  readonly raw: string;
  readonly problems: readonly string[];
  readonly corrections: number;
  readonly cause?: unknown;
}
