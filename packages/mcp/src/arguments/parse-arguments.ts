import type { z } from 'zod';
import { config, type core } from 'zod';
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

/** A sentence that names the argument and the allowed values. Pure. */
function describeIssue(issue: core.$ZodRawIssue, { allowed }: { readonly allowed: readonly string[] }): string {
  const name = nameOf(issue.path ?? []);
  switch (issue.code) {
    case 'invalid_type':
      return `${name} must be ${withArticle(issue.expected)}`;
    case 'invalid_value':
      return `${name} must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(quote).join(', ')}`;
    case 'unrecognized_keys':
      return `unknown ${plural('argument', issue.keys)} ${issue.keys.map(quote).join(', ')}; ${whatIsAllowed(issue, allowed)}`;
    default:
      return `${name}: ${zodsOwnWords(issue)}`;
  }
}

const nameOf = (path: readonly PropertyKey[]) =>
  path.length === 0
    ? 'arguments'
    : path
        .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
        .join('');

const withArticle = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

const quote = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : String(value));

const plural = (word: string, items: readonly unknown[]) => (items.length === 1 ? word : `${word}s`);

function whatIsAllowed(issue: core.$ZodRawIssue, allowed: readonly string[]): string {
  if ((issue.path ?? []).length > 0) return `not part of ${nameOf(issue.path ?? [])}`;
  return allowed.length === 0 ? 'there are none' : `allowed: ${allowed.join(', ')}`;
}

function zodsOwnWords(issue: core.$ZodRawIssue): string {
  const words = config().localeError?.(issue);
  return (typeof words === 'string' ? words : words?.message) ?? 'invalid';
}
