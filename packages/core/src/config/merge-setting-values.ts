import type { SettingMapping, SettingValue } from './setting-value.js';
import { isSettingValues, type SettingLeaf, type SettingValues } from './setting-values.js';
import { SETTINGS } from './settings-keys.js';

/** Mappings are merged key by key; everything else, lists too, is replaced as a whole. */
export const mergeSettingValues = (before: SettingValues, said: SettingValues): SettingValues =>
  merge(before, said, SETTINGS);

function merge(before: SettingValues, said: SettingValues, { keys }: SettingMapping): SettingValues {
  const merged = Object.entries(said).map(([name, value]) => [name, combine(before[name], value, keys[name]?.value)]);
  return { ...before, ...Object.fromEntries(merged) };
}

function combine(
  before: SettingLeaf | SettingValues | undefined,
  value: SettingLeaf | SettingValues,
  kind: SettingValue | undefined,
): SettingLeaf | SettingValues {
  if (!isSettingValues(before) || !isSettingValues(value)) return value;
  return kind?.kind === 'mapping' ? merge(before, value, kind) : { ...before, ...value };
}
