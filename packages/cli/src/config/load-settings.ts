import { type ReadSettings, readSettings, type SettingsLayer, type SettingsProblem } from '@devs/core';
import { CliError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { visible } from '../screen/visible.js';
import { count } from '../words.js';

export type LoadedSettings = Extract<ReadSettings, { kind: 'settings' }>;

/** For a command that needs settings without problems; flags count for more than files. */
export async function loadSettings(
  { settingsFiles }: Pick<Services, 'settingsFiles'>,
  flags: readonly SettingsLayer[] = [],
): Promise<LoadedSettings> {
  const read = readSettings([...(await settingsFiles.layers()), ...flags]);
  if (read.kind === 'settings') return read;
  throw new CliError(
    [`the configuration has ${count(read.problems.length, 'problem')}:`, ...read.problems.map(describeProblem)].join(
      '\n',
    ),
  );
}

/** `.devs/config.yaml:3:5: …` */
export function describeProblem({ where, line, column, message, hint }: SettingsProblem): string {
  const isFlag = where.startsWith('--'); // what the user typed has no lines
  const place = line === undefined || isFlag ? where : `${where}:${line}:${column}`;
  return `  ${visible(`${place}: ${message}${hint === undefined ? '' : ` (${hint})`}`)}`;
}
