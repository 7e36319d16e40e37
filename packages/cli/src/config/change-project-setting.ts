import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { changeSetting, privilegedKeys, SAFE_SETTINGS, type SettingChange } from '@devs/core';
import { readProjectFile } from '@devs/worktree/project-file';
import type { ProjectPaths } from '../store-access/create-records.js';
import { type Agreements, projectSubject } from '../trust/agreements.js';
import { agreeToMade } from '../trust/workflow-gate.js';
import type { SettingsFiles } from './create-settings-files.js';

type SettingOutcome =
  | { readonly status: 'changed'; readonly where: string }
  | { readonly status: 'refused'; readonly reason: string };

/** Changes one safe key in the file of a project. Every other key is changed with an editor. */
export interface SettingChanger {
  change(change: SettingChange): Promise<SettingOutcome>;
}

interface SettingChangerDeps {
  readonly here: () => Promise<ProjectPaths>;
  readonly settingsFiles: Pick<SettingsFiles, 'read'>;
  readonly agreements: Agreements;
  readonly loadStores: () => Promise<Pick<typeof import('@devs/store'), 'prepareProjectStore'>>;
}

const FILE = join('.devs', 'config.yaml');

export function createSettingChanger(deps: SettingChangerDeps): SettingChanger {
  const { here, settingsFiles, agreements, loadStores } = deps;
  return {
    async change(change) {
      if (!SAFE_SETTINGS.includes(change.key)) return refused(`${change.key} is changed in the file itself: ${FILE}`);
      const place = await here();
      const found = readProjectFile(place.root, FILE);
      if (found.status === 'refused') return refused(`${FILE} cannot be changed: ${found.why}`);
      const { waiting } = await settingsFiles.read();
      // What a stranger wrote there would be agreed to with the change.
      if (waiting !== undefined) return refused(`${FILE} does not count yet; look at it with \`devs config --trust\``);
      const changed = changeSetting(found.status === 'read' ? found.text : '', change);
      if (changed.kind === 'problems') return refused(wordsOf(changed.problems));
      const { text } = changed;
      const file = join(place.root, FILE);
      if (found.status === 'missing') {
        (await loadStores()).prepareProjectStore(place);
        await mkdir(dirname(file), { recursive: true });
        await agreeToMade(agreements, { root: place.root, path: FILE, kind: 'settings', text });
      } else if (privilegedKeys(found.text, []).length > 0) {
        await agreements.add(projectSubject('settings', place.root, FILE), text);
      }
      await replace(file, text);
      return { status: 'changed', where: FILE };
    },
  };
}

const refused = (reason: string): SettingOutcome => ({ status: 'refused', reason });

const wordsOf = (problems: readonly { readonly message: string; readonly hint?: string | undefined }[]): string =>
  problems.map(({ message, hint }) => (hint === undefined ? message : `${message}; ${hint}`)).join('. ');

/** No reader sees half of it. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { flag: 'wx' });
  await rename(draft, file);
}
