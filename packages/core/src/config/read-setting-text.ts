import type { TextProblem } from '../yaml/problem-list.js';
import { readYaml, type TextKind } from '../yaml/read-yaml.js';
import type { Path } from '../yaml/yaml-tree.js';
import { isSettingValues, keyIn, kindOf, type SettingValues } from './setting-values.js';
import { SettingsSchema } from './settings.js';

export interface ReadValues {
  readonly values: SettingValues;
  /** Of every key that is said, by its path, such as `pressure.soft`. */
  readonly places: ReadonlyMap<string, TextPlace>;
  readonly problems: readonly TextProblem[];
}

export type TextPlace = Pick<TextProblem, 'line' | 'column'>;

const CONFIGURATION: TextKind<unknown> = {
  schema: SettingsSchema,
  subject: 'The configuration',
  maxMegabytes: 1,
  mayBeEmpty: true,
  mayLackValues: true,
  nameOf,
};

/** Reads one text. Reports every mistake and never throws. Pure. */
export function readSettingText(text: string): ReadValues {
  const { said, problems, places } = readYaml(text, CONFIGURATION);
  const values = isSettingValues(said) ? said : {};
  const keys = keysOf(values, '').map((key) => [key, problems.placeOf(places.keyOf(key.split('.')))] as const);
  return { values, places: new Map(keys), problems: problems.inOrder() };
}

function keysOf(values: SettingValues, group: string): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const key = keyIn(group, name);
    const kind = kindOf(key);
    if (kind === 'value' || !isSettingValues(value)) return [key];
    return [key, ...(kind === 'group' ? keysOf(value, key) : Object.keys(value).map((own) => keyIn(key, own)))];
  });
}

/** `checks 1` · `Dialog 2.keys` · `Agent 'mine'.prompt` */
function nameOf([first, second, ...rest]: Path): string {
  if (first === undefined) return CONFIGURATION.subject;
  if (first === 'agents' && second !== undefined) return join(`Agent '${String(second)}'`, rest);
  if (first === 'dialogs' && second !== undefined) return join(`Dialog ${Number(second) + 1}`, rest);
  return join(String(first), second === undefined ? rest : [second, ...rest]);
}

const join = (start: string, path: Path): string =>
  path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name} ${step + 1}` : `${name}.${String(step)}`),
    start,
  );
