import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../testing/rounds.js';
import { commandEnvironment, sandboxEnvironment } from '../command-environment.js';
import { planSandbox, type SandboxPlace } from '../plan-sandbox.js';
import { arrangeRules, foldersBetween, isBelow, type SandboxRule } from '../sandbox-rule.js';

const PLACE: SandboxPlace = {
  worktree: '/home/anna/.local/state/devs/worktrees/shop/run-1',
  project: '/home/anna/shop',
  git: {
    kind: 'linked',
    folder: '/home/anna/shop/.git/worktrees/run-1',
    common: '/home/anna/shop/.git',
    branch: 'devs/run-1',
    others: ['/home/anna/shop/.git/refs/heads/devs/run-2'],
  },
  home: '/home/anna',
  env: { PATH: '/usr/bin', USER: 'anna' },
  temporary: ['/tmp'],
  network: true,
  read: [],
  write: [],
};

/** What counts at a path: the deepest rule that holds it. */
function ruleAt(path: string, changes: Partial<SandboxPlace> = {}): SandboxRule['what'] | 'read-only' {
  const rules = arrangeRules(planSandbox({ ...PLACE, ...changes }).rules);
  return rules.findLast((rule) => isBelow(path, rule.path))?.what ?? 'read-only';
}

const W = (path: string): SandboxRule => ({ what: 'write', path });
const S = (path: string): SandboxRule => ({ what: 'show', path });

describe('the surroundings of a sandboxed command', () => {
  it.each([
    ['/usr/bin/node', 'read-only'],
    ['/etc/passwd', 'read-only'],
    ['/home/anna/.bashrc', 'read-only'],
    ['/home/anna/shop/src/a.ts', 'read-only'],
    ['/home/anna/shop/.devs/state.db', 'hide'],
    ['/home/anna/.local/state/devs/terminals/host.sock', 'hide'],
    [`${PLACE.worktree}/src/a.ts`, 'write'],
    [`${PLACE.worktree}/.git`, 'show'],
    ['/home/anna/.ssh/id_rsa', 'hide'],
    ['/home/anna/.aws/credentials', 'hide'],
    ['/home/anna/.claude/.credentials.json', 'hide'],
    ['/run/user/1000/bus', 'hide'],
    ['/run/docker.sock', 'hide'],
    ['/home/anna/.npmrc', 'redact'],
    ['/home/anna/.gitconfig', 'redact'],
    ['/home/anna/.npm/_cacache/x', 'write'],
    ['/home/anna/.npm/_npx/x/bin', 'scratch'],
    ['/home/anna/.cache/pip/x', 'write'],
    ['/home/anna/.cache/node/corepack/pnpm', 'show'],
    ['/home/anna/.cache/gitstatus/gitstatusd', 'show'],
    ['/home/anna/.cache/p10k-instant-prompt-anna.zsh', 'show'],
    ['/home/anna/.cargo/bin/cargo', 'read-only'],
    ['/tmp/tmux-1000/default', 'scratch'],
    ['/home/anna/shop/.git/objects/ab/cdef', 'write'],
    ['/home/anna/shop/.git/objects/info/alternates', 'show'],
    ['/home/anna/shop/.git/refs/heads/devs/run-1.lock', 'write'],
    ['/home/anna/shop/.git/refs/heads/devs/run-2', 'show'],
    ['/home/anna/shop/.git/refs/heads/main', 'show'],
    ['/home/anna/shop/.git/logs/refs/heads/devs/run-1', 'write'],
    ['/home/anna/shop/.git/worktrees/run-1/index.lock', 'write'],
    ['/home/anna/shop/.git/worktrees/run-1/commondir', 'show'],
    ['/home/anna/shop/.git/worktrees/run-2/HEAD', 'show'],
    ['/home/anna/shop/.git/hooks/pre-commit', 'show'],
    ['/home/anna/shop/.git/config', 'redact'],
    ['/home/anna/shop/.git/packed-refs', 'show'],
  ])('at %s: %s', (path, what) => {
    expect(ruleAt(path)).toBe(what);
  });

  it("in the user's own checkout is git without hooks and settings, and devs' folder read-only", () => {
    const changes = { worktree: PLACE.project, git: { kind: 'whole', folder: '/home/anna/shop/.git' } } as const;
    const at = (path: string) => ruleAt(`/home/anna/shop/${path}`, changes);
    expect([at('src/a.ts'), at('.git/index.lock'), at('.git/refs/heads/main')]).toEqual(['write', 'write', 'write']);
    expect([at('.git/hooks/x'), at('.git/worktrees/x'), at('.devs/config.yaml')]).toEqual(['show', 'show', 'show']);
    expect([at('.git/config'), at('.devs/state.db')]).toEqual(['redact', 'hide']);
  });

  it('is what variables of the user name, too', () => {
    const env = { SSH_AUTH_SOCK: '/opt/agent.sock', XDG_STATE_HOME: '/data/state', CODEX_HOME: '/data/codex' };
    expect(ruleAt('/opt/agent.sock', { env })).toBe('hide');
    expect(ruleAt('/data/state/devs/terminals/x', { env })).toBe('hide');
    expect(ruleAt('/data/codex/auth.json', { env })).toBe('hide');
    expect(ruleAt('/usr/bin/node', { env: { CODEX_HOME: '/', GNUPGHOME: '', NETRC: 'x' } })).toBe('read-only');
  });

  it('is a project, a home and programs below a temporary folder, though the rest of it is another one', () => {
    const changes = { project: '/tmp/shop', home: '/tmp/home', env: { PATH: '/tmp/bin:/usr/bin' } };
    for (const path of ['/tmp/shop/a', '/tmp/home/a', '/tmp/bin/a']) expect(ruleAt(path, changes)).toBe('show');
    expect(ruleAt('/tmp/other', changes)).toBe('scratch');
    expect(ruleAt('/tmp/home/.ssh/x', changes)).toBe('hide');
  });

  it("follow the user's settings", () => {
    expect(ruleAt('/home/anna/.ssh/id_rsa', { read: ['/home/anna/.ssh'] })).toBe('show');
    expect(ruleAt('/home/anna/notes/a', { write: ['/home/anna/notes'] })).toBe('write');
  });
});

describe('the folders between a writable place and a guarded path in it', () => {
  it.each<[string, readonly SandboxRule[], readonly string[]]>([
    ['each', [W('/a'), S('/a/b/c/d')], ['/a/b/c', '/a/b']],
    ['none where it is next to it', [W('/a'), S('/a/b')], []],
    ['none below a place that is read-only', [S('/a'), S('/a/b/c')], []],
    ['none where nothing holds it', [S('/a/b/c')], []],
    ['up to the nearest rule', [W('/a'), S('/a/b'), S('/a/b/c/d')], []],
  ])('%s', (_, rules, folders) => {
    expect(foldersBetween(rules)).toEqual(folders.map(W));
  });
});

describe('the order of rules', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
    .map((names) => `/${names.join('/')}`);
  const what = fc.constantFrom<SandboxRule['what']>('show', 'write', 'hide', 'redact', 'scratch');

  it('puts what holds another path before it, and each path once', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ what, path })), (rules) => {
        const arranged = arrangeRules(rules);
        expect(new Set(arranged.map((rule) => rule.path)).size).toBe(arranged.length);
        arranged.forEach((outer, index) => {
          expect(arranged.slice(0, index).filter((inner) => isBelow(inner.path, outer.path))).toEqual([]);
        });
      }),
      { numRuns: rounds(100), seed: seed() },
    );
  });
});

describe('the environment of a command', () => {
  const env = { PATH: '/bin', ANTHROPIC_API_KEY: 'k', openai_api_key: 'k', DEVS_STORE: 'redis://:p@h', NOT: undefined };

  it('has no key of a model and no address of the store', () => {
    expect(commandEnvironment(env)).toEqual({ PATH: '/bin' });
    expect(commandEnvironment(env, ['ANTHROPIC_API_KEY'])).toEqual({ PATH: '/bin', ANTHROPIC_API_KEY: 'k' });
  });

  it.each([
    ['GITHUB_TOKEN', 'ghp_5Yx2Qw8Zr4Tn6Vb1Mk9Lp3Hj7Gf0Ds2Ac4Xe'],
    ['NPM_TOKEN', '3f0c9a52-6d1e-4b77-9c58-1e2d3c4b5a69'],
    ['AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz'],
    ['AWS_SESSION_TOKEN', 'IQoJb3JpZ2luX2VjEOr8x7Kq'],
    ['PGPASSWORD', 'correct-horse-7'],
    ['DEPLOY', 'ghp_5Yx2Qw8Zr4Tn6Vb1Mk9Lp3Hj7Gf0Ds2Ac4Xe'],
  ])('has no %s unless the user names it', (name, value) => {
    expect(commandEnvironment({ PATH: '/bin', [name]: value })).toEqual({ PATH: '/bin' });
    expect(commandEnvironment({ [name]: value }, [name])).toEqual({ [name]: value });
  });

  it('has what only sounds like a secret', () => {
    const harmless = {
      PATH: '/nix/store/8ha1dhmx807czjczmwy078s4r9s254il-coreutils-9.3/bin:/usr/bin',
      HOME: '/home/ada',
      MAX_TOKEN: '4096',
      NEXT_PAGE_TOKEN: 'abc123def',
      SSH_ASKPASS: '/usr/bin/ksshaskpass',
      GOOGLE_APPLICATION_CREDENTIALS: '/home/ada/key.json',
      GIT_AUTHOR_NAME: 'Ada',
      npm_config_user_agent: 'npm/11.0.0 node/v20.20.0 linux x64',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
      DATABASE_URL: 'postgres://app:app@localhost:5432/app',
      CI_COMMIT_SHA: '3f0c9a526d1e4b779c581e2d3c4b5a6978695a4b',
    };
    expect(commandEnvironment(harmless)).toEqual(harmless);
  });

  it("keeps git from tidying up, in addition to the user's own settings", () => {
    const told = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'A' };
    expect(sandboxEnvironment(told)).toMatchObject({ ...told, GIT_CONFIG_COUNT: '3', GIT_CONFIG_KEY_1: 'gc.auto' });
    expect(sandboxEnvironment({})).toMatchObject({ GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'gc.auto' });
  });
});
