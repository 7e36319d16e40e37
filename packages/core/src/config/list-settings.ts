import { z } from 'zod';
import { innerOf } from '../yaml/schema-parts.js';
import type { SettingSource, SettingSources } from './read-settings.js';
import { isSettingValues, keyIn, type SettingValues } from './setting-values.js';
import { type Settings, SettingsSchema } from './settings.js';

export interface ListedSetting {
  /** Such as `pressure.soft.share`. */
  readonly key: string;
  /** Missing if unset and without a default. */
  readonly value?: unknown;
  /** Missing where it is a default. */
  readonly source?: SettingSource;
  readonly description: string;
}

/** Every value there is, in the order of the schema, with who says so. */
export const listSettings = (settings: Settings, sources: SettingSources): readonly ListedSetting[] =>
  list('', SettingsSchema, settings, sources);

function list(group: string, schema: z.ZodObject, values: SettingValues, sources: SettingSources): ListedSetting[] {
  return Object.entries(schema.shape).flatMap(([name, part]) => {
    const key = keyIn(group, name);
    const value = values[name];
    const inner = innerOf(part);
    const listed = (at: string, said: unknown) => toListed({ key: at, value: said, schema: part }, sources);
    if (inner instanceof z.ZodObject) return list(key, inner, isSettingValues(value) ? value : {}, sources);
    if (inner instanceof z.ZodRecord && isSettingValues(value) && Object.keys(value).length > 0)
      return Object.entries(value).map(([own, entry]) => listed(keyIn(key, own), entry));
    return [listed(key, value)];
  });
}

interface Found {
  readonly key: string;
  readonly value: unknown;
  readonly schema: z.ZodType;
}

function toListed({ key, value, schema: { description = '' } }: Found, sources: SettingSources): ListedSetting {
  const source = sources.get(key);
  return { key, ...(value === undefined ? {} : { value }), ...(source === undefined ? {} : { source }), description };
}
