import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeBundle } from '../lib/bundle/make-bundle.mjs';
import { capture } from '../lib/run.mjs';

describe('a bundle', () => {
  it('does what its modules do', async () => {
    const program = writeProgram();
    await program.bundle();

    expect(await program.run()).toBe('main, and later: one\n');
  });

  it('keeps the previous parts, which a long-lived process may not have loaded yet', async () => {
    const program = writeProgram();
    await program.bundle();
    const [old = ''] = program.parts();
    program.writeLater('two');
    await program.bundle();

    expect(await program.run()).toBe('main, and later: two\n');
    expect(program.parts()).toContain(old);
  });

  it('forgets files that are no longer needed', async () => {
    const program = writeProgram();
    await program.bundle();
    const [old = ''] = program.parts();
    utimesSync(join(program.folder, old), new Date(0), new Date(0));
    program.writeLater('two');
    await program.bundle();

    expect(program.parts()).not.toContain(old);
    expect(program.parts()).toHaveLength(1);
  });

  it('can be CommonJS, for a program whose compiled code is kept', async () => {
    const program = writeProgram();
    writeFileSync(program.main, "export const say = async () => (await import('./later.js')).word;\n");
    await makeBundle({
      name: 'a program',
      folder: program.folder,
      entries: { main: program.main },
      packages: [],
      kind: 'cjs',
      options: {},
    });
    const { say } = createRequire(program.main)(join(program.folder, 'main.cjs'));

    expect(await say()).toBe('one');
  });

  it('is left as it was where it cannot be made', async () => {
    const program = writeProgram();
    await program.bundle();
    program.writeLater("'; this is no program");

    expect(await program.bundle()).toContain('a program was not bundled and will be slower');
    expect(await program.run()).toBe('main, and later: one\n');
  });
});

function writeProgram() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'devs-bundle-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'bundle');
  const main = join(home, 'main.js');
  const writeLater = (word: string) => writeFileSync(join(home, 'later.js'), `export const word = '${word}';\n`);
  writeFileSync(main, "const { word } = await import('./later.js');\nconsole.log('main, and later:', word);\n");
  writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  writeLater('one');
  return {
    folder,
    main,
    writeLater,
    parts: () => readdirSync(folder).filter((file) => file !== 'main.mjs'),
    bundle() {
      const made = join(folder, 'main.mjs');
      if (existsSync(made)) utimesSync(made, new Date(0), new Date(0)); // older than what it was made of
      return makeBundle({ name: 'a program', folder, entries: { main }, packages: [], options: {} });
    },
    run: async () => (await capture(process.execPath, [join(folder, 'main.mjs')], { cwd: home })).output,
  };
}
