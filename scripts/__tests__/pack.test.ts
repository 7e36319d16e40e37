import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeInside, describePackage, filesByImport, listRooms } from '../lib/package/describe-package.mjs';
import { linkImports } from '../lib/package/link-imports.mjs';
import { stagePackage } from '../lib/package/stage-package.mjs';
import { repoRoot } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';

const manifest = (name: string, dependencies: Record<string, string>) => ({
  name: `@devs/${name}`,
  version: '1.2.3',
  private: true,
  type: 'module',
  files: ['dist'],
  exports: { '.': './dist/index.js', './testing': './dist/testing/index.js' },
  dependencies,
  devDependencies: { vitest: 'catalog:' },
});
const CHECKOUT: Record<string, ReturnType<typeof manifest>> = {
  'packages/cli': manifest('cli', { '@devs/store': 'workspace:*', '@devs/core': 'workspace:*', commander: '14.0.3' }),
  'packages/store': manifest('store', { '@devs/core': 'workspace:*', libsql: '0.5.29' }),
  'packages/core': manifest('core', { zod: '4.6.7' }),
  'packages/unused': manifest('unused', { left: '1.0.0' }),
};
const roomsOf = (checkout: typeof CHECKOUT) => listRooms((folder) => checkout[folder] ?? manifest('none', {}));

describe('the package that users install', () => {
  it('carries the packages that the command needs, and no other', () => {
    expect(roomsOf(CHECKOUT).map(({ folder }) => folder)).toEqual(['packages/cli', 'packages/store', 'packages/core']);
    expect(describePackage(roomsOf(CHECKOUT))).toMatchObject({
      name: 'devs',
      version: '1.2.3',
      dependencies: { commander: '14.0.3', libsql: '0.5.29', zod: '4.6.7' },
    });
  });

  it('[I1] bundles no package, whose dependencies a global install would leave out', () => {
    const manifest = describePackage(roomsOf(CHECKOUT));

    expect(manifest).not.toHaveProperty('bundleDependencies');
    expect(Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@devs/'))).toEqual([]);
  });

  it.each([
    ["import { open } from '@devs/store';", "import { open } from '../../store/dist/index.js';"],
    ['const core = await import("@devs/core");', 'const core = await import("../../core/dist/index.js");'],
    ["require.resolve('@devs/store')", "require.resolve('../../store/dist/index.js')"],
    ['require.resolve(`@devs/store`)', 'require.resolve(`../../store/dist/index.js`)'],
    ["const name = '@devs/core';", "const name = '@devs/core';"],
  ])('loads a package of ours by the way to its file: %s', (text, linked) => {
    expect(linkImports(text, 'packages/cli/dist/main.js', filesByImport(roomsOf(CHECKOUT)))).toBe(linked);
  });

  it('says which name it cannot find', () => {
    const files = filesByImport(roomsOf(CHECKOUT));

    expect(() => linkImports("import '@devs/core/testing';", 'packages/cli/dist/main.js', files)).toThrow(
      'packages/cli/dist/main.js loads @devs/core/testing, which is not in the package',
    );
  });

  it('says which dependency two of ours want in different versions', () => {
    const checkout = { ...CHECKOUT, 'packages/core': manifest('core', { libsql: '0.4.0' }) };

    expect(() => describePackage(roomsOf(checkout))).toThrow('libsql is wanted as 0.5.29 and as 0.4.0');
  });

  it('has no word of the workspace in what npm reads', () => {
    const inside = describeInside(manifest('store', { '@devs/core': 'workspace:*', libsql: '0.5.29' }));

    expect(inside).toEqual({ name: '@devs/store', version: '1.2.3', private: true, type: 'module' });
  });
});

describe('this checkout, packed', () => {
  it('holds no tests and runs outside of the checkout', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'devs-pack-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const staged = join(folder, 'node_modules', 'devs');
    const { dependencies = {} } = stagePackage(staged);
    const files = readdirSync(staged, { recursive: true, encoding: 'utf8' });
    linkOthers(join(folder, 'node_modules'), dependencies);

    expect(files.filter((path) => /__tests__|packages.cli.*\.d\.ts$|\.map$|tsbuildinfo/.test(path))).toEqual([]);
    expect(files).toContain(join('packages', 'cli', 'dist', 'bundle', 'main.mjs'));
    for (const path of files.filter((path) => path.endsWith('package.json'))) {
      expect(readFileSync(join(staged, path), 'utf8')).not.toMatch(/workspace:|catalog:/);
    }
    const devs = (...args: string[]) =>
      capture(process.execPath, [join(staged, 'packages/cli/bin/devs.mjs'), ...args], { cwd: folder });
    expect(await devs('--version')).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(await devs('workflow', 'list')).toMatchObject({ code: 0, output: expect.stringContaining('feature') });
    expect(await devs('debug', 'state')).toMatchObject({ code: 0 });
    expect(files.filter((path) => path.includes('scripted-model'))).toEqual([]); // of a checkout only
    expect(await devs('debug', 'protocol')).toMatchObject({ code: 2 });
  });
});

/** What a registry would give, from this checkout. */
function linkOthers(nodeModules: string, dependencies: Record<string, string>): void {
  const rooms = readdirSync(join(repoRoot, 'packages')).map((name) => join(repoRoot, 'packages', name, 'node_modules'));
  for (const name of Object.keys(dependencies)) {
    const found = rooms.map((room) => join(room, name)).find((path) => existsSync(path));
    if (found === undefined) throw new Error(`${name} is not installed`);
    mkdirSync(dirname(join(nodeModules, name)), { recursive: true });
    symlinkSync(realpathSync(found), join(nodeModules, name));
  }
}
