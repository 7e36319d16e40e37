import { DEFAULT_SETTINGS, readSettings, type Settings } from '@devs/core';
import { describeProblem } from '../../config/load-settings.js';
import type { SettingsFiles } from '../../config/settings-files.js';

/** What the configuration says about the terminals of a folder. */
export interface TerminalChoices {
  readonly settings: Settings;
  /** What of it was not understood, for people. */
  readonly problems: readonly string[];
}

/** A file with a mistake in it counts as not said, and is told: whoever starts his own agent gets it in any case. Never rejects. */
export async function readTerminalChoices(files: Pick<SettingsFiles, 'layers'>): Promise<TerminalChoices> {
  try {
    const layers = await files.layers();
    const read = readSettings(layers);
    if (read.kind === 'settings') return { settings: read.settings, problems: [] };
    const sound = readSettings(layers.filter((layer) => readSettings([layer]).kind === 'settings'));
    const settings = sound.kind === 'settings' ? sound.settings : DEFAULT_SETTINGS;
    return { settings, problems: read.problems.map((problem) => describeProblem(problem).trim()) };
  } catch (error) {
    return { settings: DEFAULT_SETTINGS, problems: [error instanceof Error ? error.message : String(error)] };
  }
}
