import type { JsonObject } from '@devs/core';

/** Reads untrusted records: missing values and values of another type are `undefined`. */

export function parseObject(line: string): JsonObject | undefined {
  if (!/^\s*\{/.test(line)) return undefined; // at once: an exception for every line of a damaged file takes its time
  try {
    return objectIn(JSON.parse(line));
  } catch {
    return undefined;
  }
}

export const objectIn = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
