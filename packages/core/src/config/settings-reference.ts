import { z } from 'zod';
import { innerOf } from '../yaml/schema-parts.js';
import { flow } from './render-config-file.js';
import { keyIn } from './setting-values.js';
import { SettingsSchema } from './settings.js';

/** Every setting as a table for the guide; `pnpm schemas` writes it there. */
export const renderSettingsReference = (): string =>
  [['key', 'values', 'default', 'meaning'], ['---', '---', '---', '---'], ...rowsOf('', SettingsSchema)]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

function rowsOf(group: string, { shape }: z.ZodObject): readonly string[][] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const key = keyIn(group, name);
    const inner = innerOf(schema);
    const { description = '' } = schema;
    if (inner instanceof z.ZodObject) return [[`**\`${key}\`**`, '', '', description], ...rowsOf(key, inner)];
    const usual = defaultOf(schema);
    return [[`\`${key}\``, valuesOf(inner), usual === undefined ? '' : `\`${flow(usual)}\``, description]];
  });
}

const defaultOf = (schema: z.ZodType): unknown => {
  const parsed = schema.safeParse(undefined);
  return parsed.success ? parsed.data : undefined;
};

function valuesOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => `\`${option}\``).join(', ');
  if (schema instanceof z.ZodBoolean) return '`true`, `false`';
  if (schema instanceof z.ZodNumber) return rangeOf(schema);
  if (schema instanceof z.ZodRecord) return 'entries by name';
  if (!(schema instanceof z.ZodArray)) return 'text';
  const item = innerOf(schema.element);
  if (item instanceof z.ZodArray) return 'list of commands, which are lists';
  return item instanceof z.ZodString ? 'list of texts' : 'list of entries';
}

function rangeOf({ minValue, maxValue, isInt }: z.ZodNumber): string {
  const [min, max] = [minValue, maxValue].map((value) => value?.toLocaleString('en'));
  return isInt ? `${min} to ${max}` : `above ${min}, at most ${max}`;
}
