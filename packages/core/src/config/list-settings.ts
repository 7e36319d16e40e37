import type { SettingSource, SettingSources } from './read-settings.js';
import type { SettingKey } from './setting-value.js';
import type { Settings } from './settings.js';
import { SETTINGS } from './settings-keys.js';

export interface ListedSetting {
  /** Such as `pressure.soft.share`. */
  readonly key: string;
  /** Missing if unset and without a default. */
  readonly value?: unknown;
  /** Missing where it is a default. */
  readonly source?: SettingSource;
  readonly description: string;
}

/** Every value there is, in the order of the table, with who says so. */
export function listSettings(settings: Settings, sources: SettingSources): readonly ListedSetting[] {
  return list('', SETTINGS.keys, settings as unknown as Record<string, unknown>, sources);
}

function list(
  path: string,
  keys: Readonly<Record<string, SettingKey>>,
  values: Readonly<Record<string, unknown>>,
  sources: SettingSources,
): ListedSetting[] {
  return Object.entries(keys).flatMap(([name, { description, value }]) => {
    const key = path === '' ? name : `${path}.${name}`;
    const said = values[name];
    if (value.kind === 'mapping') return list(key, value.keys, (said ?? {}) as Record<string, unknown>, sources);
    if (value.kind === 'named' && Object.keys(said ?? {}).length > 0) {
      return Object.entries(said ?? {}).map(([own, entry]) => listed(`${key}.${own}`, entry, description, sources));
    }
    return [listed(key, said, description, sources)];
  });
}

function listed(key: string, value: unknown, description: string, sources: SettingSources): ListedSetting {
  const source = sources.get(key);
  return { key, ...(value === undefined ? {} : { value }), ...(source === undefined ? {} : { source }), description };
}
