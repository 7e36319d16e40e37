import type { PressureMark } from '@devs/core';
import type { Palette } from './palette.js';

const BAR_COLUMNS = 8;
export const PRESSURE_COLUMNS = '███████░ 100 %'.length;

interface Pressure {
  /** Of 1; missing where it is not known. */
  readonly pressure?: number | undefined;
  readonly mark?: PressureMark | undefined;
}

/** How full a conversation is, always of the same width. */
export function pressureBar({ pressure, mark }: Pressure, palette: Palette): string {
  if (pressure === undefined) return ' '.repeat(PRESSURE_COLUMNS);
  const full = Math.min(BAR_COLUMNS, Math.round(pressure * BAR_COLUMNS));
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)}`;
  const text = `${bar} ${String(Math.round(pressure * 100)).padStart(3)} %`;
  return mark === 'firm' ? palette.bad(text) : mark === 'soft' ? palette.devs(text) : text;
}
