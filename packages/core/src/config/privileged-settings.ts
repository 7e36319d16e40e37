import { readSettingText } from './read-setting-text.js';
import type { SettingsLayer } from './read-settings.js';
import {
  isSettingValues,
  keyIn,
  kindOf,
  mergeSettingValues,
  type SettingLeaf,
  type SettingValues,
} from './setting-values.js';
import { DEFAULT_SETTINGS } from './settings.js';

type Value = SettingLeaf | SettingValues | undefined;

/** Whether a file without the user's agreement may set this, given the value without the file. */
type IsHarmless = (said: Value, before: Value) => boolean;

const always: IsHarmless = () => true;
const only =
  (value: SettingLeaf): IsHarmless =>
  (said) =>
    said === value;
/** A limit may come down. Without a limit, every limit is lower. */
const downwards: IsHarmless = (said, before) =>
  typeof said === 'number' && (typeof before !== 'number' || said <= before);
const STRICTER = ['allow', 'ask', 'deny'];
const stricter: IsHarmless = (said, before) => STRICTER.indexOf(String(said)) >= STRICTER.indexOf(String(before));

/** Settings that a stranger may change. Every other key, including future ones, needs an agreement. */
const HARMLESS: Readonly<Record<string, IsHarmless>> = {
  workflow: always, // a workflow in the repository needs its own agreement
  worktree: only('own'),
  parallel: downwards,
  'budget.tokens': downwards,
  'budget.usd': downwards,
  'budget.minutes': downwards,
  'budget.day.tokens': downwards,
  'budget.day.usd': downwards,
  'budget.day.minutes': downwards,
  'pressure.soft.share': downwards,
  'pressure.soft.tokens': downwards,
  'pressure.firm.share': downwards,
  'pressure.firm.tokens': downwards,
  'renewal.most': downwards,
  'renewal.ownWords': always,
  'reinjection.builtinTurns': always,
  'reinjection.turns': always,
  'reinjection.tas': always, // read only inside of the project
  'reinjection.prd': always,
  'contextActions.deadlineSeconds': downwards,
  'stuck.enabled': only(true),
  'stuck.minutes': downwards,
  'stuck.sameAction': downwards,
  'stuck.sameError': downwards,
  'resume.enabled': only(false),
  'resume.most': downwards,
  'limits.park': only(false),
  'limits.most': downwards,
  'notices.bell': always,
  'terminals.title': always,
  observe: only(true),
  sandbox: only('required'),
  'sandboxed.network': only(false),
  'permissions.mode': stricter,
};

/**
 * The keys of a text that need the user's agreement, sorted. `below`: the layers that count less than the text. A value that
 * counts without the text needs none. Looks at the text alone, whether or not the settings as a whole make sense. Pure.
 */
export function privilegedKeys(text: string, below: readonly SettingsLayer[]): readonly string[] {
  const before = below.reduce<SettingValues>(
    (values, layer) => mergeSettingValues(values, readSettingText(layer.text).values),
    DEFAULT_SETTINGS,
  );
  return listPrivileged('', readSettingText(text).values, before).toSorted();
}

function listPrivileged(group: string, said: SettingValues, before: Value): readonly string[] {
  return Object.entries(said).flatMap(([name, value]) => {
    const key = keyIn(group, name);
    const known = isSettingValues(before) ? before[name] : undefined;
    const kind = kindOf(key);
    if (kind === 'group' && isSettingValues(value)) return listPrivileged(key, value, known);
    if (kind === 'names' && isSettingValues(value)) return Object.keys(value).map((own) => keyIn(key, own));
    if (isSame(value, known) || HARMLESS[key]?.(value, known) === true) return [];
    return [key];
  });
}

const isSame = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other);
