import type { JsonValue } from '../ports/json.js';

export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export const phrase = (what: string, text: string): string => (text === '' ? what : `${what}: ${text}`);

export const numberOf = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : 0);

/** `1,234` */
export const grouped = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 call`, `1,234 calls` */
export const count = (number: number, noun: string): string => `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
