import type { z } from 'zod';
import { describeIssue } from './describe-issue.js';
import { InvalidArgumentsError } from './invalid-arguments-error.js';

/** Pure; throws `InvalidArgumentsError` with a sentence for every argument that does not fit. */
export function parseArguments<Input extends z.ZodObject>(input: Input, rawArguments: unknown): z.output<Input> {
  const parsed = input.safeParse(rawArguments ?? {}, {
    // zod calls this only for schemas without their own `error`.
    error: (issue) => describeIssue(issue, { allowed: Object.keys(input.shape) }),
  });
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentsError(parsed.error.issues.map(({ message }) => message).join('; '), {
    cause: parsed.error,
  });
}
