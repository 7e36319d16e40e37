import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const REGEXP_AT_ONCE = '--no-regexp-tier-up';
/** The memory is looked through when it has grown, not ahead of that: most of these programs are over before it has. */
const NO_MARKING_AHEAD = '--no-incremental-marking';

/**
 * Lets V8 optimise only what runs for long, and compile each regular expression once instead of twice. A program that is over
 * within a second pays for most optimised code, and hardly uses it: a handoff takes a quarter to a third less processor time.
 *
 * By the major version of Node, as V8 tells the user of flags that it does not have.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const FLAGS = {
  20: ['--interrupt-budget=3000000', REGEXP_AT_ONCE, NO_MARKING_AHEAD],
  22: ['--invocation-count-for-turbofan=100000', REGEXP_AT_ONCE, NO_MARKING_AHEAD],
  24: [
    '--invocation-count-for-turbofan=100000',
    '--invocation-count-for-maglev=20000',
    REGEXP_AT_ONCE,
    NO_MARKING_AHEAD,
  ],
};

/** So often a part is kept anew: each run may have used more of it than those before. */
const MAX_RUNS = 4;
const UNUSED_MS = 30 * 24 * 3600 * 1000;
const END = '.compiled';

/**
 * Loads a program in CommonJS with what V8 compiled of it in earlier runs: compiling takes as long as what a short program does.
 * Node has the same only from 22.1 on. A module that is no part of the program is loaded by `require.import`.
 *
 * V8 looks only at the length of a program, so what is kept belongs to one file as it was written at one time. Changing V8's
 * flags afterwards would make everything kept useless.
 *
 * @param {string | undefined} folder for what is kept, where there is one. Its content is executed.
 */
export function createLoader(folder) {
  for (const flag of FLAGS[process.versions.node.split('.')[0] ?? ''] ?? []) setFlagsFromString(flag);
  /** @type {Map<string, { exports: any }>} */
  const loaded = new Map();
  /** @type {{ file: string, mark: string, runs: number, script: Script }[]} */
  const parts = [];
  return {
    load,
    /** For the next run, once this one is over. Without room for it, the next is as slow as this one. */
    keep() {
      const grown = parts.filter(({ runs }) => runs <= MAX_RUNS);
      if (folder === undefined || grown.length === 0) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        for (const part of grown) keepPart(part);
        removeUnused(folder);
      } catch {}
    },
  };

  /**
   * @param {string} path
   * @returns {any}
   */
  function load(path) {
    const known = loaded.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const file = folder === undefined ? undefined : join(folder, nameOf(path));
    const mark = markOf(path);
    const kept = file === undefined ? undefined : readKept(file, mark);
    const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(path, 'utf8')}\n})`;
    const script = new Script(source, { filename: path, ...(kept === undefined ? {} : { cachedData: kept.code }) });
    const runs = kept === undefined || script.cachedDataRejected === true ? 1 : kept.runs + 1;
    if (file !== undefined) parts.push({ file, mark, runs, script });
    script.runInThisContext()(module.exports, requireFrom(path), module, path, dirname(path));
    return module.exports;
  }

  /** @param {string} path */
  function requireFrom(path) {
    const foreign = createRequire(path);
    const own = (/** @type {string} */ name) =>
      name.startsWith('./') ? load(join(dirname(path), name)) : foreign(name);
    const importing = (/** @type {string} */ name) => {
      const found = foreign.resolve(name);
      return import(isAbsolute(found) ? pathToFileURL(found).href : found);
    };
    return Object.assign(own, { resolve: foreign.resolve, import: importing });
  }
}

/**
 * The end of the path, as its beginning may be the same for many.
 *
 * @param {string} path
 */
const nameOf = (path) => `${process.version}-${path.replace(/[^\w.-]+/g, '_').slice(-180)}${END}`;

/** @param {string} path */
function markOf(path) {
  const { ino, size, mtimeMs, ctimeMs } = statSync(path);
  return [process.arch, path, ino, size, mtimeMs, ctimeMs].join(' ');
}

/**
 * @param {string} file
 * @param {string} mark
 */
function readKept(file, mark) {
  try {
    const kept = readFileSync(file);
    const end = kept.indexOf('\n');
    const { mark: known, runs } = JSON.parse(kept.toString('utf8', 0, end));
    return known === mark && typeof runs === 'number' ? { runs, code: kept.subarray(end + 1) } : undefined;
  } catch {
    return undefined;
  }
}

/** @param {{ file: string, mark: string, runs: number, script: Script }} part */
function keepPart({ file, mark, runs, script }) {
  const draft = `${file}.${process.pid}`;
  try {
    const head = Buffer.from(`${JSON.stringify({ mark, runs })}\n`);
    writeFileSync(draft, Buffer.concat([head, script.createCachedData()]), { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Each version brings parts of its own. What is read often was written when its version was new, so it is made again. */
function removeUnused(/** @type {string} */ folder) {
  for (const name of readdirSync(folder).filter((name) => name.includes(END))) {
    const file = join(folder, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > UNUSED_MS) rmSync(file, { force: true });
  }
}
