import { isFlag, type ReadSettings, readSettings, type SettingsLayer, type SettingsProblem } from '@devs/core';
import { STARTABLE_AGENTS } from '@devs/drivers/agents';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import { askToAgree } from '../trust/waiting-file.js';
import { count } from '../words.js';
import type { ConfigServices } from './config-services.js';

export type LoadedSettings = Extract<ReadSettings, { kind: 'settings' }>;

/** For a command that needs settings without problems; flags count for more than files. */
export async function loadSettings(
  services: Pick<ConfigServices, 'settingsFiles' | 'confirm' | 'agreements'>,
  flags: readonly SettingsLayer[] = [],
): Promise<LoadedSettings> {
  return settingsOf([...(await agreedLayers(services)), ...flags]);
}

/** Settings without problems, or a `CliError` that lists them. */
export function settingsOf(layers: readonly SettingsLayer[]): LoadedSettings {
  const read = readSettings(layers, STARTABLE_AGENTS);
  if (read.kind === 'settings') return read;
  throw new CliError(
    [`the configuration has ${count(read.problems.length, 'problem')}:`, ...read.problems.map(describeProblem)].join(
      '\n',
    ),
  );
}

/** Read again after the user agreed: the file may have changed while they looked at it, and they are asked again. */
async function agreedLayers(
  services: Pick<ConfigServices, 'settingsFiles' | 'confirm' | 'agreements'>,
): Promise<readonly SettingsLayer[]> {
  for (;;) {
    const { layers, waiting } = await services.settingsFiles.read();
    if (waiting === undefined) return layers;
    await askToAgree(waiting, services);
  }
}

/** `.devs/config.yaml:3:5: …` */
export function describeProblem({ where, line, column, message, hint }: SettingsProblem): string {
  const place = line === undefined || isFlag(where) ? where : `${where}:${line}:${column}`;
  return `  ${visible(`${place}: ${message}${hint === undefined ? '' : ` (${hint})`}`)}`;
}
