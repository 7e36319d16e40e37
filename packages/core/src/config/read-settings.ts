import { checkSettings } from './check-settings.js';
import { type ReadValues, readSettingText, type TextPlace } from './read-setting-text.js';
import { isSettingValues, mergeSettingValues, type SettingValues } from './setting-values.js';
import { type Settings, SettingsSchema } from './settings.js';

/** One place where something is said; a later one counts for more. */
export interface SettingsLayer {
  /** For people: a file, a flag. */
  readonly where: string;
  /** YAML. */
  readonly text: string;
}

/** Origin of a value. */
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

/** By the path of the key, such as `pressure.soft.share`. Missing keys have their default. */
export type SettingSources = ReadonlyMap<string, SettingSource>;

/**
 * The settings that the layers say together, over the defaults; or everything that is wrong in them. `startable` are the names
 * of the agents that devs can start. Pure.
 */
export function readSettings(layers: readonly SettingsLayer[], startable: readonly string[]): ReadSettings {
  const problems: SettingsProblem[] = [];
  const sources = new Map<string, SettingSource>();
  let values: SettingValues = {};
  for (const { where, text } of layers) {
    const read = readSettingText(text);
    problems.push(
      ...[...read.problems, ...(isFlag(where) ? [] : flagsOnly(read))].map((problem) => ({ where, ...problem })),
    );
    values = mergeSettingValues(values, read.values);
    for (const [path, place] of read.places) sources.set(path, { where, ...place });
  }
  if (problems.length > 0) return { kind: 'problems', problems };
  const settings = SettingsSchema.parse(values);
  const contradictions = checkSettings(settings, sources, startable);
  return contradictions.length > 0
    ? { kind: 'problems', problems: contradictions }
    : { kind: 'settings', settings, sources };
}

/** Whether a value was typed for one command, as opposed to kept in a file. */
export const isFlag = (where: string): boolean => where.startsWith('--');

/** The answers of the scripted model run commands: a file that brings the model brings a program. */
function flagsOnly({ values, places }: ReadValues): Omit<SettingsProblem, 'where'>[] {
  const model = isSettingValues(values.model) ? values.model : {};
  const isScripted = (name: string) => name === 'scenario' || model[name] === 'scripted';
  return ['provider', 'scenario']
    .filter((name) => model[name] !== undefined && isScripted(name))
    .map((name) => ({
      ...places.get(`model.${name}`),
      message: `model.${name}: the scripted model counts only as a flag`,
      hint: 'type --provider scripted --scenario FILE',
    }));
}
