import { StoreUnavailableError } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { createWorld, noRuns, noTerminals } from '../../__tests__/run-here.js';
import type { SettingsFiles } from '../../config/create-settings-files.js';
import type { TerminalsExamination } from '../../terminal/create-terminals.js';

describe('devs doctor', () => {
  it('says that all is well, and that there is no store yet', async () => {
    const { stdout, exitCode } = await createWorld().devs(['doctor']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ok       devs 1.2.3\n');
    expect(stdout).toMatch(/^ok {7}store: .*none yet/m);
  });

  it('warns of what could be lost, which is no reason to stop', async () => {
    const { stdout, exitCode } = await createWorld().devs(['doctor', '--json', '--store', 'redis://localhost:6379']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      findings: expect.arrayContaining([
        { level: 'warning', text: 'appendfsync is everysec: the last second can be lost' },
      ]),
    });
  });

  it('looks at the remote and the clock where machines share the store', async () => {
    const shared = ['doctor', '--store', 'redis://localhost:6379'];
    const world = createWorld();
    await world.devs(['task', 'add', 'x']);
    expect((await world.devs(['doctor'])).stdout).not.toContain('remote:');
    expect((await world.devs(shared)).stdout).toContain('remote: git.example:shop answers\n');
    const travel = { sayBase: async () => ({ outcome: 'no-remote' }) as const };
    const noRemote = await world.devs(shared, {
      travel: { ...travel, reach: async () => ({ outcome: 'no-remote' }) as const },
    });
    expect([noRemote.exitCode, noRemote.stdout]).toEqual([1, expect.stringContaining('git remote add origin URL')]);
    const silent = await world.devs(shared, {
      travel: { ...travel, reach: async () => ({ outcome: 'silent', message: 'timed out' }) as const },
    });
    expect([silent.exitCode, silent.stdout]).toEqual([1, expect.stringContaining('origin does not answer: timed out')]);
  });

  it('says that the built-in agent has no model, and warns where no other could work', async () => {
    const none = { kind: 'unusable', reason: 'it has no model', advice: 'set ANTHROPIC_API_KEY' } as const;
    const inspect = async () => [{ agent: 'builtin', inspection: none }];
    const { stdout } = await createWorld().devs(['doctor'], { runs: { ...noRuns, inspect } });
    expect(stdout).toContain('warning  builtin: it has no model; set ANTHROPIC_API_KEY');
  });

  it('says which agents are there, whether their versions were tried, and where the terminals are', async () => {
    const examination: TerminalsExamination = {
      agents: [
        { agent: 'claude', inspection: { kind: 'installed', command: '/bin/claude', version: '2.1.325', tried: true } },
        {
          agent: 'codex',
          inspection: {
            kind: 'installed',
            command: '/bin/codex',
            version: '9.0.0',
            tried: false,
            warning: 'not\u001b[2J tried',
          },
        },
        { agent: 'gone', inspection: { kind: 'unusable', reason: 'gone was not found', advice: 'install it' } },
      ],
      host: { kind: 'running', pid: 7, terminals: 2, folder: '/state' },
      problems: ['the prefix key is none'],
    };
    const terminals = { ...noTerminals, examine: async () => examination };

    const { stdout, exitCode } = await createWorld({ terminals }).devs(['doctor']);

    expect(exitCode).toBe(0);
    expect(stdout.split('\n').slice(2)).toEqual([
      'ok       claude: 2.1.325, /bin/claude; pressure, state, prompts, renewal and resuming were tried with it',
      'ok       codex: 9.0.0, /bin/codex',
      'warning  not␛[2J tried',
      'none     gone: not installed; install it',
      'ok       terminals: 2 agents in host 7, /state',
      'warning  settings: the prefix key is none',
      'ok       sandbox: bubblewrap, /usr/bin/bwrap',
      '',
    ]);
  });

  it('says whether commands can be kept in a sandbox, which is a problem only where one is required', async () => {
    const findSandbox = async () =>
      ({ kind: 'none', reason: 'bubblewrap is not installed', advice: 'Install it: apt install bubblewrap' }) as const;
    const auto = await createWorld({ findSandbox }).devs(['doctor']);
    expect(auto.exitCode).toBe(0);
    expect(auto.stdout).toContain(
      'warning  sandbox: bubblewrap is not installed, so commands run without one. Install it: apt install bubblewrap\n',
    );
    const settingsFiles: SettingsFiles = {
      paths: async () => ({ user: '/user.yaml', project: '/project.yaml' }),
      read: async () => ({ layers: [{ where: '.devs/config.yaml', text: 'sandbox: required\n' }] }),
    };
    const required = await createWorld({ findSandbox, settingsFiles }).devs(['doctor']);
    expect(required.exitCode).toBe(1);
    expect(required.stdout).toContain(
      'problem  sandbox: bubblewrap is not installed, so no command is run without one.',
    );
  });

  it('says what is the matter with a store that cannot be used, without the password', async () => {
    const world = createWorld();
    await world.devs(['task', 'add', 'x']);
    const records = {
      ...world.records,
      open: async () => {
        throw new StoreUnavailableError('there is no Redis at localhost:6379; start one');
      },
    };
    const { stdout, exitCode } = await world.devs(['doctor', '--store', 'redis://me:hunter22@localhost:6379'], {
      records,
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^problem {2}store: .*there is no Redis at localhost:6379; start one/m);
    expect(stdout).not.toContain('hunter22');
  });
});
