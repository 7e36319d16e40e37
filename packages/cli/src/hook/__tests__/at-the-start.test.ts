import { describe, expect, it } from 'vitest';
import { createScene, GONE } from './scene.js';

const HERE = process.pid;

async function sceneWithTrouble(pid = GONE) {
  const scene = createScene();
  await scene.hook('SessionStart', { source: 'startup', pid });
  scene.asks('Sort the widgets.');
  scene.runs('npm test -- widgets', 'Error: 3 tests failed', { isError: true });
  scene.says('I will look.');
  await scene.hook('Stop', { pid });
  return scene;
}

describe('at the start of a conversation', () => {
  it('open items of the previous one are given, in short, and how to get the rest', async () => {
    const scene = await sceneWithTrouble();
    await scene.hook('SessionEnd');

    const text = await scene.hook('SessionStart', { source: 'startup', session: 's2', pid: HERE });

    expect(text).toContain('Sort the widgets.');
    expect(text).toContain('npm test -- widgets');
    expect(text).toContain('/devs:handoff');
    expect(text).toContain('not instructions');
    expect(text).not.toContain('# Handoff');
    expect(text?.length).toBeLessThan(2_000);
    expect(scene.log()).toContainEqual(expect.objectContaining({ event: 'OPEN_MATTERS_INJECTED', conversation: 's2' }));
  });

  it('work since the last pause counts, even if the agent was killed', async () => {
    const scene = await sceneWithTrouble();
    scene.runs('npm test -- widgets', 'all pass');
    scene.says('It works.');

    expect(await scene.hook('SessionStart', { source: 'startup', session: 's2', pid: HERE })).toBeUndefined();
  });

  it('a request that came after the last pause counts, where the agent was killed before it answered', async () => {
    const scene = await sceneWithTrouble();
    scene.asks('Paint the fence.');

    const text = await scene.hook('SessionStart', { source: 'startup', session: 's2', pid: HERE });

    expect(text).toContain('Paint the fence.');
  });

  it('nothing is said about a conversation that continues elsewhere', async () => {
    const scene = await sceneWithTrouble(HERE);

    expect(await scene.hook('SessionStart', { source: 'startup', session: 's2', pid: GONE })).toBeUndefined();
  });

  it('after a clear it is the conversation of the same agent that counts, not a newer one', async () => {
    const scene = await sceneWithTrouble(HERE);
    await scene.hook('SessionStart', { source: 'startup', session: 'other', pid: GONE });
    scene.asks('Paint the fence.', 'other');
    await scene.hook('Stop', { session: 'other', pid: GONE });

    const text = await scene.hook('SessionStart', { source: 'clear', session: 's2', pid: HERE });

    expect(text).toContain('Sort the widgets.');
    expect(text).not.toContain('Paint the fence.');
  });

  it('nothing is said without open items, or to a resumed conversation', async () => {
    const scene = createScene();

    expect(await scene.hook('SessionStart', { source: 'startup' })).toBeUndefined();
    scene.asks('Hello.');
    scene.says('Hello!');
    await scene.hook('SessionEnd');
    expect(await scene.hook('SessionStart', { source: 'startup', session: 's2', pid: HERE })).toBeUndefined();
    scene.asks('Unanswered.');
    expect(await scene.hook('SessionStart', { source: 'resume', session: 's3', pid: HERE })).toBeUndefined();
  });

  it('nothing is said to sub-agents, or if it is switched off', async () => {
    const scene = await sceneWithTrouble();
    const call = { source: 'startup', session: 's2', pid: HERE };
    scene.writeFile('.devs/hooks.json', '{ "open": false }');

    expect(await scene.hook('SessionStart', call)).toBeUndefined();
    expect(await scene.hook('SessionStart', { ...call, env: { DEVS_HOOK_OPEN: 'on' } })).toContain('Sort the widgets.');
    expect(await scene.hook('SessionStart', { ...call, agentId: 'a1', env: { DEVS_HOOK_OPEN: 'on' } })).toBeUndefined();
  });

  it('open items of the store are given, and repeated from memory', async () => {
    const scene = createScene();
    const { runDevs } = await import('../../__tests__/run-devs.js');
    const conditions = { cwd: scene.project, env: { XDG_STATE_HOME: `${scene.folder}/state` } };
    await runDevs(['task', 'add', '--id', 'fix-login', 'Fix the login'], conditions);
    await runDevs(['task', 'block', 'fix-login', '--reason', 'no account'], conditions);

    const first = await scene.hook('SessionStart', { source: 'startup', pid: HERE });
    const again = await scene.hook('SessionStart', { source: 'startup', session: 's2', pid: HERE });

    expect(first).toContain('- blocked: fix-login “Fix the login”: no account');
    expect(again).toBe(first);
  });
});
