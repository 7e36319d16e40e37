const THOUSANDS = /\B(?=(\d{3})+$)/g;

/** `1,234` */
export const grouped = (number: number): string => String(number).replace(THOUSANDS, ',');

/** `1 call`, `1,234 calls` */
export const count = (number: number, noun: string): string => `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
