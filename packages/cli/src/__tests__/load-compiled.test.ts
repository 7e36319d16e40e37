import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const LOADER = fileURLToPath(new URL('../../bin/load-compiled.mjs', import.meta.url));
const RUN = `import { createLoader } from ${JSON.stringify(LOADER)};
const loader = createLoader(process.argv[2] || undefined);
const { say } = loader.load(process.argv[1]);
process.stdout.write(await say());
loader.keep();`;

/** A program of two parts. The second is loaded when the program needs it. */
function writeProgram() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-compiled-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [main, kept] = [join(folder, 'main.cjs'), join(folder, 'kept')];
  const writeLater = (word: string) => writeFileSync(join(folder, 'later.cjs'), `exports.word = '${word}';\n`);
  writeFileSync(
    main,
    `exports.say = async () => {
  const { basename } = require('node:path');
  const { sep } = await require.import('node:path');
  return [require('./later.cjs').word, basename(__filename), typeof sep].join(' ');
};\n`,
  );
  writeLater('one');
  const files = () => readdirSync(kept).sort();
  return {
    kept,
    writeLater,
    files,
    say: (place = kept) => {
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', RUN, main, place], {
        encoding: 'utf8',
      });
      return stderr === '' ? stdout : stderr;
    },
    runs: () => files().map((name) => JSON.parse(readFileSync(join(kept, name), 'utf8').split('\n')[0] ?? '').runs),
  };
}

describe('a program whose compiled code is kept', () => {
  it('does the same with it as without it', () => {
    const program = writeProgram();
    const first = program.say();
    expect(first).toBe('one main.cjs string');
    expect(program.say()).toBe(first);
    expect(program.runs()).toEqual([2, 2]);
    expect(program.say('')).toBe(first);
  });

  it('is kept anew in its first runs only', () => {
    const program = writeProgram();
    for (let run = 0; run < 7; run++) program.say();
    expect(program.runs()).toEqual([4, 4]);
  });

  it('is compiled anew once it was written anew, also with as many letters', () => {
    const program = writeProgram();
    program.say();
    program.writeLater('two');
    expect(program.say()).toBe('two main.cjs string');
    expect(program.say()).toBe('two main.cjs string');
  });

  it('is compiled anew where what was kept is damaged', () => {
    const program = writeProgram();
    const said = program.say();
    for (const name of program.files()) {
      const file = join(program.kept, name);
      writeFileSync(file, readFileSync(file).subarray(0, -40));
    }
    expect(program.say()).toBe(said);
    expect(program.runs()).toEqual([1, 1]);
  });

  it('runs where nothing can be kept', () => {
    const program = writeProgram();
    writeFileSync(program.kept, 'a file');
    expect(program.say()).toBe('one main.cjs string');
  });

  it('leaves nothing for others to read or write, and forgets parts of old versions', () => {
    const program = writeProgram();
    mkdirSync(program.kept, { mode: 0o700 });
    const old = join(program.kept, 'v20-old.cjs.compiled');
    writeFileSync(old, '');
    utimesSync(old, new Date(0), new Date(0));
    program.say();
    expect(program.files()).toHaveLength(2);
    for (const name of program.files()) expect(statSync(join(program.kept, name)).mode & 0o077).toBe(0);
  });
});
