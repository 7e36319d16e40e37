import { checkSettings } from './check-settings.js';
import { DEFAULT_SETTINGS } from './default-settings.js';
import { readSettingValues, type TextPlace } from './read-setting-values.js';
import type { SettingMapping, SettingValue } from './setting-value.js';
import { isSettingValues, type SettingLeaf, type SettingValues } from './setting-values.js';
import type { Settings } from './settings.js';
import { SETTINGS } from './settings-keys.js';
import { toSettings } from './to-settings.js';

/** One place where something is said; a later one counts for more. */
export interface SettingsLayer {
  /** For people: a file, a flag. */
  readonly where: string;
  /** YAML. */
  readonly text: string;
}

/** Who says what a value is. */
export interface SettingSource extends Partial<TextPlace> {
  readonly where: string;
}

export interface SettingsProblem extends SettingSource {
  readonly message: string;
  readonly hint?: string;
}

export type ReadSettings =
  | { readonly kind: 'settings'; readonly settings: Settings; readonly sources: SettingSources }
  | { readonly kind: 'problems'; readonly problems: readonly SettingsProblem[] };

/** By the path of the key, such as `pressure.soft.share`. What is not in it is a default. */
export type SettingSources = ReadonlyMap<string, SettingSource>;

/** The settings that the layers say together, over the defaults; or everything that is wrong in them. Pure. */
export function readSettings(layers: readonly SettingsLayer[]): ReadSettings {
  const problems: SettingsProblem[] = [];
  const sources = new Map<string, SettingSource>();
  let values = DEFAULT_SETTINGS as unknown as SettingValues;
  for (const { where, text } of layers) {
    const read = readSettingValues(text);
    problems.push(...read.problems.map((problem) => ({ where, ...problem })));
    values = merge(values, read.values, SETTINGS);
    for (const [path, place] of read.places) sources.set(path, { where, ...place });
  }
  if (problems.length > 0) return { kind: 'problems', problems };
  const settings = toSettings(values);
  const contradictions = checkSettings(settings, sources);
  return contradictions.length > 0
    ? { kind: 'problems', problems: contradictions }
    : { kind: 'settings', settings, sources };
}

/** Mappings are merged key by key; everything else, lists too, is replaced as a whole. */
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
