import { DEFAULT_SETTINGS, messageOf, readSettings, type Settings, type SettingsLayer } from '@devs/core';
import { STARTABLE_AGENTS } from '@devs/drivers/agents';
import type { SettingsFiles } from '../../config/create-settings-files.js';
import { describeProblem } from '../../config/load-settings.js';
import { describeWaiting, HOW_TO_AGREE } from '../../trust/waiting-file.js';

/** What the configuration says about the terminals of a folder. */
export interface TerminalChoices {
  readonly settings: Settings;
  /** What of it was not understood, for people. */
  readonly problems: readonly string[];
}

/**
 * A file with errors, or without the user's agreement, is reported and ignored: users who start their own agent get it in any
 * case. Never rejects.
 */
export async function readTerminalChoices(files: Pick<SettingsFiles, 'read'>): Promise<TerminalChoices> {
  try {
    const { layers, waiting, notes = [] } = await files.read();
    const unagreed =
      waiting === undefined ? notes : [...notes, `${describeWaiting(waiting)}: ignored. ${HOW_TO_AGREE}`];
    const readAll = (from: readonly SettingsLayer[]) => readSettings(from, STARTABLE_AGENTS);
    const read = readAll(layers);
    if (read.kind === 'settings') return { settings: read.settings, problems: unagreed };
    const sound = readAll(layers.filter((layer) => readAll([layer]).kind === 'settings'));
    const settings = sound.kind === 'settings' ? sound.settings : DEFAULT_SETTINGS;
    return { settings, problems: [...unagreed, ...read.problems.map((problem) => describeProblem(problem).trim())] };
  } catch (error) {
    return { settings: DEFAULT_SETTINGS, problems: [messageOf(error)] };
  }
}
