import { z } from 'zod';
import { schemaAt } from '../yaml/schema-parts.js';
import { SettingsSchema } from './settings.js';

/** What a settings file says: the known keys only, nested as in the file. */
export interface SettingValues {
  readonly [key: string]: SettingLeaf | SettingValues;
}

export type SettingLeaf = string | number | boolean | readonly (SettingLeaf | SettingValues)[];

export const isSettingValues = (value: unknown): value is SettingValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is below a key, such as `pressure.soft`: a group of further keys, names of the user's own, or a value. */
export function kindOf(key: string): 'group' | 'names' | 'value' {
  const schema = schemaAt(SettingsSchema, key.split('.'));
  if (schema instanceof z.ZodObject) return 'group';
  return schema instanceof z.ZodRecord ? 'names' : 'value';
}

export const keyIn = (group: string, name: string): string => (group === '' ? name : `${group}.${name}`);

/** Groups are merged key by key, names one by one; everything else, lists too, is replaced as a whole. */
export function mergeSettingValues(before: SettingValues, said: SettingValues, group = ''): SettingValues {
  const merged = Object.entries(said).map(([name, value]) => {
    const [key, old] = [keyIn(group, name), before[name]];
    if (!isSettingValues(old) || !isSettingValues(value)) return [name, value];
    return [name, kindOf(key) === 'group' ? mergeSettingValues(old, value, key) : { ...old, ...value }];
  });
  return { ...before, ...Object.fromEntries(merged) };
}
