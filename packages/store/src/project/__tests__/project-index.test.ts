import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../sqlite/__tests__/scratch.js';
import { forgetProject, listProjects, rememberProject } from '../project-index.js';
import { projectIndexFile } from '../project-index-file.js';

describe('the list of projects', () => {
  it('lists each project once, most recently used first, until it is forgotten', () => {
    const place = { file: join(scratchFolder(), 'state', 'devs', 'projects.db') };
    expect(listProjects(place)).toEqual({ projects: [] });
    rememberProject(place, { root: '/projects/a', lastUsedAt: 1 });
    rememberProject(place, { root: '/projects/b', lastUsedAt: 2 });
    expect(rememberProject(place, { root: '/projects/a', lastUsedAt: 3 })).toEqual({ status: 'ok' });
    expect(listProjects(place).projects).toEqual([
      { root: '/projects/a', lastUsedAt: 3 },
      { root: '/projects/b', lastUsedAt: 2 },
    ]);
    expect(forgetProject(place, '/projects/a')).toEqual({ status: 'ok' });
    expect(listProjects(place).projects.map(({ root }) => root)).toEqual(['/projects/b']);
    expect((statSync(place.file).mode & 0o777).toString(8)).toBe('600');
  });

  it('never fails: without a home folder, with an unusable one, or when damaged', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), '');
    const project = { root: '/projects/a', lastUsedAt: 1 };
    for (const file of [undefined, join(folder, 'file', 'devs', 'projects.db'), folder]) {
      expect(rememberProject({ file }, project)).toEqual({ status: 'problem', problem: expect.any(String) });
      expect(listProjects({ file })).toEqual({ projects: [], problem: expect.any(String) });
      expect(forgetProject({ file }, '/projects/a')).toEqual({ status: 'problem', problem: expect.any(String) });
    }
    const damaged = join(folder, 'devs', 'projects.db');
    mkdirSync(dirname(damaged));
    writeFileSync(damaged, 'garbage '.repeat(1_000));
    expect(listProjects({ file: damaged })).toEqual({
      projects: [],
      problem: expect.stringMatching(/damaged.*kept as/),
    });
    expect(readdirSync(dirname(damaged)).some((name) => name.includes('.damaged-'))).toBe(true);
    expect(rememberProject({ file: damaged }, project)).toEqual({ status: 'ok' });
  });

  it.each([
    { place: { env: { XDG_STATE_HOME: '/x' }, platform: 'linux', home: '/home/a' }, file: '/x/devs/projects.db' },
    { place: { env: {}, platform: 'linux', home: '/home/a' }, file: '/home/a/.local/state/devs/projects.db' },
    {
      place: { env: { XDG_STATE_HOME: 'x' }, platform: 'linux', home: '/h' },
      file: '/h/.local/state/devs/projects.db',
    },
    { place: { env: {}, platform: 'darwin', home: '/h' }, file: '/h/Library/Application Support/devs/projects.db' },
    { place: { env: { LOCALAPPDATA: '/l' }, platform: 'win32', home: '/h' }, file: '/l/devs/projects.db' },
    { place: { env: {}, platform: 'win32', home: '/h' }, file: '/h/AppData/Local/devs/projects.db' },
    { place: { env: {}, platform: 'linux', home: undefined }, file: undefined },
  ] as const)('is at $file', ({ place, file }) => {
    expect(projectIndexFile(place)).toBe(file);
  });
});
