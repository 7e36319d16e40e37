import { z } from 'zod';
import { excerpt } from './excerpt.js';

// The kinds of values in texts that people write, each with its words for what is wrong.

/** What was read is never changed. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** Words of a schema about a value, with what to do about it. */
export const words = (message: string, hint: string): string => `${message}\n${hint}`;

/** Any text that is not blank. */
export const text = () =>
  z
    .string()
    .regex(/\S/, 'must not be empty')
    .refine((value) => !/\p{Cs}/u.test(value), {
      error: words('must not hold half of a character', 'remove the escape of a lone surrogate'),
    });

export const texts = () => z.array(text());

export const flag = () => z.boolean();

export const choice = <const T extends string>(...values: readonly T[]) => z.enum(values);

export function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, error).max(max, error);
}

/** More than nothing, at most so much. */
export function amount(max: number) {
  const error = `must be a number above 0 and at most ${max}`;
  return z.number({ error }).positive(error).max(max, error);
}

/** A regular expression. */
export const pattern = () =>
  text().refine(isPattern, { error: ({ input }) => `must be a regular expression, got: ${excerpt(String(input))}` });

/** A program and its arguments. */
export const command = () =>
  z.array(text(), { error: 'must be a list of a program and its arguments, which no shell reads' });

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
