import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { connectSupervisor } from '@devs/server/client';
import { describe, expect, it } from 'vitest';
import { endTurn } from '../../agent/__tests__/builtin-world.js';
import { openRunProject, SAMPLE_SCENARIO } from '../../run/__tests__/run-project.js';
import { openFrontDoor, RAW_AGENT } from '../../terminal/__tests__/front-door.js';

async function connect(socketPath: string) {
  const client = await connectSupervisor(socketPath);
  if (client === undefined) throw new Error('no supervisor');
  return client;
}

describe('the API of the supervisor, over its socket', () => {
  it('starts, lists, types into and stops terminals, each with the environment of its caller', async () => {
    const door = openFrontDoor([process.execPath, RAW_AGENT]);
    await door.run('up');
    const api = await connect(join(door.stateFolder, 'devs', 'supervisor', 'api.sock'));
    const start = (mark: string) => {
      const environment = { ...door.env, PATH: `${door.env.PATH}:/nowhere/${mark}`, SHOP_API_KEY: `key-${mark}` };
      return api.call('terminals.start', {
        agent: 'claude',
        args: ['--mark', mark],
        name: mark,
        caller: { folder: door.project, environment, terminal: { columns: 90, rows: 30 } },
      });
    };
    expect(await Promise.all([start('one'), start('two')])).toEqual([
      { status: 'started', name: 'one' },
      { status: 'started', name: 'two' },
    ]);
    expect(await start('one')).toMatchObject({ status: 'refused' });
    const { terminals } = await api.call('terminals.list', {});
    expect(terminals.map(({ name, isSupervised }) => [name, isSupervised]).sort()).toEqual([
      ['one', true],
      ['two', true],
    ]);
    if (process.platform === 'linux') {
      for (const { terminalId, pid } of await door.hosted()) {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        expect(environment).toContain(`PATH=${door.env.PATH}:/nowhere/${terminalId}`);
        expect(environment).toContain(`SHOP_API_KEY=key-${terminalId}`);
      }
    }

    const screen = async () => (await api.call('terminals.screen', { terminal: 'one' })).rows.join('\n');
    await until(async () => (await screen()).includes('[size 90x30]'));
    expect(await api.call('terminals.keys', { terminal: 'one', keys: 'x' })).toEqual({ outcome: 'written' });
    await until(async () => (await screen()).includes('[keys 78]'));
    const before = await api.call('terminals.attend', { terminal: 'one', window: 'w', typed: false, seen: -1 });
    expect(before.terminal).toMatchObject({ name: 'one', isAttended: true });
    await api.call('terminals.leave', { terminal: 'one', window: 'w' });
    expect(await api.call('terminals.get', { terminal: 'one' })).toMatchObject({ isAttended: false });

    expect(await api.call('terminals.stop', { terminal: 'one' })).toMatchObject({ wasRunning: true, left: [] });
    await expect(api.call('terminals.get', { terminal: 'one' })).rejects.toMatchObject({ code: 'not-found' });
    const caller = { folder: door.project, environment: door.env };
    expect(await api.call('terminals.resume', { terminal: 'one', caller })).toEqual({ status: 'started', name: 'one' });
    await until(async () => (await screen()).includes('--mark'));
    await api.call('terminals.stop', { terminal: 'one' });
    await expect(api.call('terminals.send', { terminal: 'one', text: 'x' })).rejects.toMatchObject({
      code: 'conflict',
    });
    api.close();
  });

  it('sends a prompt, types keys, renews an agent, returns to its first conversation, stops and resumes it', async () => {
    const door = openFrontDoor([process.execPath, RAW_AGENT]);
    const scenario = join(door.home, 'scenario.json');
    writeFileSync(scenario, JSON.stringify({ window: 200_000, rules: [], default: endTurn('It is noted.') }));
    await door.run('up');
    const api = await connect(join(door.stateFolder, 'devs', 'supervisor', 'api.sock'));
    const of = { terminal: 'small' };
    const get = () => api.call('terminals.get', of);
    const idle = () => until(async () => (await get()).activity === 'idle');
    const screen = async () => (await api.call('terminals.screen', of)).rows.join('\n');
    const caller = { folder: door.project, environment: door.env, terminal: { columns: 90, rows: 30 } };
    const args = ['--scenario', scenario, '--permissions', 'allow'];
    const started = await api.call('terminals.start', { agent: 'builtin', args, name: 'small', caller });
    expect(started).toEqual({ status: 'started', name: 'small' });
    await idle();

    expect(await api.call('terminals.send', { ...of, text: 'Remember the blue parser' })).toEqual({
      kind: 'delivered',
      enters: 1,
    });
    await until(async () => (await screen()).includes('It is noted.'));
    await idle();
    expect(await api.call('terminals.keys', { ...of, keys: 'and the red one\r' })).toEqual({ outcome: 'written' });
    const prompts = async () => {
      const { entries } = await api.call('terminals.conversation', { ...of, project: door.project });
      return entries.flatMap((entry) => (entry.kind === 'prompt' ? [entry.text] : []));
    };
    await until(async () => (await prompts()).includes('and the red one'));
    expect(await prompts()).toEqual(['Remember the blue parser', 'and the red one']);
    await idle();
    const { conversationId: first } = await get();

    expect(await api.call('terminals.renew', of)).toMatchObject({ status: 'renewed', refreshCount: 1 });
    await idle();
    const renewed = await get();
    expect(renewed).toMatchObject({ renewals: 1, isRenewing: false });
    expect(renewed.conversationId).not.toBe(first);

    expect(await api.call('terminals.undo', of)).toEqual({ status: 'undone', conversationId: first });
    await idle();
    expect(await get()).toMatchObject({ conversationId: first });

    expect(await api.call('terminals.stop', of)).toMatchObject({ wasRunning: true, left: [] });
    expect(await door.hosted()).toEqual([]);
    expect(await api.call('terminals.resume', { ...of, caller })).toEqual({ status: 'started', name: 'small' });
    await idle();
    expect(await get()).toMatchObject({ conversationId: first });
    expect(await api.call('terminals.send', { ...of, text: 'Which parser?' })).toMatchObject({ kind: 'delivered' });
    await until(async () => (await prompts()).includes('Which parser?'));
    await api.call('terminals.stop', of);
    api.close();
  });

  it('tells of the workflows, the settings and the health of a project that devs knows', async () => {
    const project = openRunProject({ config: 'agent: builtin\nworkflow: feature\n' });
    await project.run('task', 'add', 'Something else'); // devs knows the project from now on
    await project.run('up');
    const api = await connect(project.apiSocket);
    const of = { project: project.folder };

    const { workflows } = await api.call('workflows.list', of);
    expect(workflows).toContainEqual(expect.objectContaining({ name: 'feature', origin: 'shipped' }));
    const workflow = await api.call('workflows.get', { ...of, workflow: 'feature' });
    expect(workflow.source).toContain('steps:');
    expect(workflow.template).toMatchObject({ name: 'feature' });
    await expect(api.call('workflows.get', { ...of, workflow: 'none' })).rejects.toMatchObject({ code: 'not-found' });

    const { settings, problems } = await api.call('settings.get', of);
    expect(problems).toEqual([]);
    expect(settings).toContainEqual(expect.objectContaining({ key: 'agent', value: 'builtin' }));

    const { findings } = await api.call('doctor.run', of);
    expect(findings).toContainEqual(expect.objectContaining({ level: 'ok', text: expect.stringMatching(/^devs /) }));
    for (const call of ['workflows.list', 'settings.get', 'doctor.run'] as const)
      await expect(api.call(call, { project: '/elsewhere' })).rejects.toMatchObject({ code: 'not-found' });
    api.close();
    await project.run('down');
  });

  it('starts a run by its words, stops, resumes and merges it', async () => {
    const project = openRunProject();
    await project.run('task', 'list'); // devs knows the project from now on
    await project.run('task', 'add', 'Something else');
    await project.run('up');
    const api = await connect(project.apiSocket);
    const { projects } = await api.call('projects.list', {});
    const [root = ''] = projects.map((known) => known.root);
    const flags = [{ where: '--scenario', text: `model:\n provider: scripted\n scenario: ${SAMPLE_SCENARIO}\n` }];
    const asked = { kind: 'asked', project: root, request: 'Add formatDuration', workflow: 'feature', flags } as const;
    const started = await api.call('runs.start', { run: asked });
    if (started.status !== 'started') throw new Error(JSON.stringify(started));
    const { run } = started;
    await until(async () => (await api.call('runs.wait', { run })).status !== undefined);
    expect(await api.call('runs.stop', { run })).toEqual({ status: 'stopped' });
    await until(async () => (await api.call('runs.get', { run })).state === 'paused');

    expect(await api.call('runs.resume', { run })).toEqual({ status: 'started', run });
    await until(async () => (await api.call('runs.get', { run })).state === 'done');
    expect(await api.call('runs.merge', { run })).toMatchObject({ outcome: 'merged', into: 'main' });

    const { terminals } = await api.call('runs.get', { run });
    const read = await api.call('terminals.conversation', { project: root, terminal: terminals[0] ?? '' });
    expect(new Set(read.entries.map(({ kind }) => kind))).toContain('call');
    expect(read.entries[0]).toMatchObject({ kind: 'prompt' });
    const { results } = await api.call('recall.search', { project: root, words: 'formatDuration', limit: 2 });
    expect(results.length).toBeGreaterThan(0);
    const { settings } = await api.call('settings.get', { project: root });
    expect(settings.find(({ key }) => key === 'pressure.soft.share')).toMatchObject({ value: 0.5 });
    const { workflows } = await api.call('workflows.list', { project: root });
    expect(workflows.map(({ name }) => name)).toContain('feature');
    expect(await api.call('workflows.get', { project: root, workflow: 'feature' })).toMatchObject({
      origin: 'shipped',
    });
    await expect(api.call('settings.get', { project: '/etc' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(api.call('runs.merge', { run: 'no-such-run' })).rejects.toMatchObject({ code: 'not-found' });
    api.close();
    await project.run('down');
  });
});
