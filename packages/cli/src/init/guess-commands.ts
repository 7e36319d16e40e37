type Command = readonly string[];

/** The top folder of a project. */
export interface TopFolder {
  has(name: string): boolean;
  /** `''` where it cannot be read. */
  read(name: string): string;
}

/** The commands that most likely prepare and test a fresh checkout, judged by its files. */
export function guessCommands(folder: TopFolder): {
  readonly setup: readonly Command[];
  readonly checks: readonly Command[];
} {
  const found = [node(folder), rust(folder), go(folder), python(folder)].filter((guess) => guess !== undefined);
  const make = found.length === 0 ? makefile(folder) : [];
  return { setup: found.flatMap(({ setup }) => setup), checks: [...found.flatMap(({ checks }) => checks), ...make] };
}

interface Guess {
  readonly setup: readonly Command[];
  readonly checks: readonly Command[];
}

function node({ has, read }: TopFolder): Guess | undefined {
  if (!has('package.json')) return undefined;
  const lock = LOCKS.find(({ file }) => has(file));
  const runner = lock?.runner ?? 'npm';
  const hasDependencies = /"(?:dev)?[dD]ependencies"\s*:\s*\{\s*"/.test(read('package.json'));
  const setup = lock?.install ?? (hasDependencies ? ['npm', 'install'] : undefined);
  const test = scriptsIn(read('package.json')).test;
  const isReal = typeof test === 'string' && !test.includes('no test specified');
  return { setup: setup === undefined ? [] : [setup], checks: isReal ? [[runner, 'test']] : [] };
}

const LOCKS = [
  { file: 'pnpm-lock.yaml', runner: 'pnpm', install: ['pnpm', 'install', '--frozen-lockfile'] },
  { file: 'yarn.lock', runner: 'yarn', install: ['yarn', 'install', '--frozen-lockfile'] },
  { file: 'bun.lock', runner: 'bun', install: ['bun', 'install', '--frozen-lockfile'] },
  { file: 'package-lock.json', runner: 'npm', install: ['npm', 'ci'] },
] as const;

function scriptsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const rust = ({ has }: TopFolder): Guess | undefined =>
  has('Cargo.toml') ? { setup: [], checks: [['cargo', 'test']] } : undefined;

const go = ({ has }: TopFolder): Guess | undefined =>
  has('go.mod') ? { setup: [], checks: [['go', 'test', './...']] } : undefined;

function python({ has, read }: TopFolder): Guess | undefined {
  if (!['pyproject.toml', 'setup.py', 'pytest.ini'].some(has)) return undefined;
  const isPytest = has('pytest.ini') || has('tests') || read('pyproject.toml').includes('pytest');
  return { setup: has('uv.lock') ? [['uv', 'sync']] : [], checks: isPytest ? [['pytest', '-q']] : [] };
}

const makefile = ({ has, read }: TopFolder): readonly Command[] =>
  has('Makefile') && /^test\s*:/m.test(read('Makefile')) ? [['make', 'test']] : [];
