import type { ListedSetting } from '@devs/core';
import { cell, clip } from '../screen/clip.js';
import type { Screen } from '../screen/screen.js';

const GAP = '  ';
const MAX_SOURCE_COLUMNS = 36;
const MAX_VALUE_COLUMNS = 28;

/** Key, value and source; values other than the default stand out. Nothing is cut without a column limit. */
export function renderSettings(settings: readonly ListedSetting[], { palette, columns }: Screen): string[] {
  const keyColumns = Math.max(...settings.map(({ key }) => key.length));
  const values = settings.map(({ value }) => (value === undefined ? '-' : shown(value)));
  const valueColumns = Math.min(MAX_VALUE_COLUMNS, Math.max(...values.map((value) => value.length)));
  return settings.map((setting, index) => {
    const value = values[index] ?? '';
    const whole = columns === Number.POSITIVE_INFINITY;
    const key = setting.key.padEnd(keyColumns);
    const said = whole ? value.padEnd(valueColumns) : cell(value, valueColumns);
    const source = clip(sourceOf(setting), whole ? columns : MAX_SOURCE_COLUMNS);
    if (setting.source === undefined) return palette.quiet(`${key}${GAP}${said}${GAP}${source}`.trimEnd());
    return `${palette.title(key)}${GAP}${said}${GAP}${palette.devs(source)}`.trimEnd();
  });
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function sourceOf({ source, value }: ListedSetting): string {
  if (source === undefined) return value === undefined ? 'not set' : 'default';
  return source.line === undefined || source.where.startsWith('--') ? source.where : `${source.where}:${source.line}`;
}
