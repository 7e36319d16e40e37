import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAgreements, projectSubject } from '../../trust/agreements.js';
import { createSettingChanger, type SettingChanger } from '../change-project-setting.js';
import { createSettingsFiles } from '../create-settings-files.js';

describe('a setting of a project, changed by its key', () => {
  let home: string;
  let root: string;
  let file: string;
  let changer: SettingChanger;
  let agreements: ReturnType<typeof openAgreements>;
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'devs-setting-')));
    root = join(home, 'shop');
    file = join(root, '.devs', 'config.yaml');
    mkdirSync(root);
    agreements = openAgreements(async () => join(home, 'agreed'));
    const here = async () => ({ root, file: join(root, '.devs', 'state.db') });
    changer = createSettingChanger({
      here,
      agreements,
      settingsFiles: createSettingsFiles({ here, folder: root, env: {}, home, agreements }),
      loadStores: async () => ({ prepareProjectStore: () => {} }),
    });
  });
  afterEach(() => rmSync(home, { recursive: true }));
  const write = (text: string) => {
    mkdirSync(join(root, '.devs'), { recursive: true });
    writeFileSync(file, text);
  };
  const subject = () => projectSubject('settings', root, join('.devs', 'config.yaml'));

  it('is written into a new file', async () => {
    expect(await changer.change({ key: 'stuck.minutes', value: 45 })).toMatchObject({ status: 'changed' });
    expect(readFileSync(file, 'utf8')).toBe('stuck:\n  minutes: 45\n');
  });

  it('leaves comments and other keys alone, and the agreement to them counts on', async () => {
    const text = '# ours\nchecks: [[npm, test]]\nstuck:\n  minutes: 5 # quick\n';
    write(text);
    await agreements.add(subject(), text);

    expect(await changer.change({ key: 'stuck.minutes', value: 9 })).toMatchObject({ status: 'changed' });
    const changed = readFileSync(file, 'utf8');
    expect(changed).toContain('# ours\nchecks: [[npm, test]]\nstuck:\n  minutes: 9');
    expect(await agreements.has(subject(), changed)).toBe(true);
  });

  it.each([
    ['of a key that names a program', { key: 'checks', value: 'true' }, /in the file itself/],
    ['of a key that is none', { key: 'constructor', value: 'true' }, /in the file itself/],
    ['to a value that does not fit', { key: 'stuck.minutes', value: 'soon' }, /stuck\.minutes/],
  ])('is no change %s', async (_, change, reason) => {
    write('workflow: small\n');
    expect(await changer.change(change)).toMatchObject({ status: 'refused', reason: expect.stringMatching(reason) });
    expect(readFileSync(file, 'utf8')).toBe('workflow: small\n');
  });

  it('does not agree to what a stranger wrote into the same file', async () => {
    write('checks: [[rm, everything]]\n');
    expect(await changer.change({ key: 'stuck.minutes', value: 9 })).toMatchObject({ status: 'refused' });
    expect(await agreements.has(subject(), readFileSync(file, 'utf8'))).toBe(false);
  });

  it('is not written through a link that leads out of the project', async () => {
    writeFileSync(join(home, 'other.yaml'), 'workflow: small\n');
    mkdirSync(join(root, '.devs'));
    symlinkSync(join(home, 'other.yaml'), file);
    const change = changer.change({ key: 'stuck.minutes', value: 9 });
    await expect(change.then(({ status }) => status)).resolves.toBe('refused');
    expect(readFileSync(join(home, 'other.yaml'), 'utf8')).toBe('workflow: small\n');
  });
});
