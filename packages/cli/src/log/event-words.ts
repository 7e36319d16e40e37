import type { JsonValue } from '@devs/core';

export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export const phrase = (what: string, text: string): string => (text === '' ? what : `${what}: ${text}`);
