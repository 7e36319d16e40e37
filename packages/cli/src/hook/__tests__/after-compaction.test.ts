import { statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createScene } from './scene.js';

const TITLE = '# Handoff';
const timesIn = (text: string | undefined, part: string) => (text ?? '').split(part).length - 1;

function workedScene() {
  const scene = createScene();
  scene.asks('Sort the widgets in src/widgets/sort.ts, and never touch src/legacy/old.ts.');
  scene.runs('npm test -- widgets', 'Error: 3 tests failed', { isError: true });
  scene.says('The order in src/widgets/sort.ts is wrong.');
  return scene;
}

describe('after a compaction', () => {
  it('the ledger is given once, with the request and open items', async () => {
    const scene = workedScene();

    const text = await scene.hook('SessionStart', { source: 'compact' });

    expect(timesIn(text, TITLE)).toBe(1);
    expect(text).toContain('never touch src/legacy/old.ts');
    expect(text).toContain('npm test -- widgets');
  });

  it('prepared text is used as long as the agent has done nothing since', async () => {
    const scene = workedScene();
    await scene.hook('PreCompact');
    scene.asks('the prompt that the agent has before it anyway');
    const prepared = JSON.parse(scene.kept('claude-code-s1.prepared.json'));
    const marked = { ...prepared, handoff: { ...prepared.handoff, text: 'PREPARED' } };
    writeFileSync(scene.keptFile('claude-code-s1.prepared.json'), JSON.stringify(marked));

    expect(await scene.hook('SessionStart', { source: 'compact' })).toContain('PREPARED');
    scene.runs('npm run lint-everything', 'fine');
    expect(await scene.hook('SessionStart', { source: 'compact' })).toContain('npm run lint-everything');
  });

  it('the text is never longer than the agent takes, also with a reminder and a large budget', async () => {
    const scene = createScene();
    for (let index = 0; index < 400; index++) {
      scene.asks(`Look at src/part-${index}/module-${index}.ts and tell me what function number${index}Of does there.`);
      scene.says(`It calls helper${index}Of in lib/helpers-${index}.ts, for a reason that takes a while to explain.`);
    }
    scene.writeFile('docs/TAS.md', `# TAS\n\n## Summary\n${'A rule that everybody has to know. '.repeat(400)}`);
    scene.writeFile('docs/PRD.md', `# PRD\n\n## Summary\n${'A wish that somebody once had, too. '.repeat(400)}`);
    const env = { DEVS_HOOK_BUDGET_CHARS: '50000' };

    const live = await scene.hook('SessionStart', { source: 'compact', env });
    await scene.hook('PreCompact', { env });
    const prepared = await scene.hook('SessionStart', { source: 'compact', env });

    for (const text of [live, prepared]) {
      expect(text?.length).toBeLessThanOrEqual(10_000);
      expect(text?.length).toBeGreaterThan(8_000);
      expect(timesIn(text, TITLE)).toBe(1);
      expect(timesIn(text, '[CONTEXT REFRESH]')).toBe(1);
    }
  });

  it('[H14] continues from the kept state, with the same outcome as from the start', async () => {
    const scene = workedScene();
    await scene.hook('Stop');
    scene.runs('npm run lint', 'fine');
    const goneOn = await scene.hook('SessionStart', { source: 'compact' });
    const calls = JSON.parse(scene.kept('claude-code-s1.prepared.json')).calls;
    for (const damaged of ['', '{"calls":1,"reading":{"version":1}}', '[', '{"calls":"x","reading":0}']) {
      writeFileSync(scene.keptFile('claude-code-s1.ledger.json'), damaged);
      writeFileSync(scene.keptFile('claude-code-s1.prepared.json'), damaged);

      expect(await scene.hook('SessionStart', { source: 'compact' })).toBe(goneOn);
      expect(JSON.parse(scene.kept('claude-code-s1.prepared.json')).calls).toBe(calls);
    }
    expect(calls).toBe(3);
  });

  it('hooks that run at the same time do not disturb each other', async () => {
    const scene = workedScene();

    const answers = await Promise.all(
      ['Stop', 'PreCompact', 'SessionStart', 'Stop', 'SessionStart'].map((event) =>
        scene.hook(event, { source: 'compact' }),
      ),
    );

    expect(answers[2]).toBe(answers[4]);
    expect(timesIn(answers[2], TITLE)).toBe(1);
    expect(await scene.hook('SessionStart', { source: 'compact' })).toBe(answers[2]);
  });

  it('secrets are neither shown nor kept, and files are private to the user', async () => {
    const scene = createScene();
    const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
    scene.asks(`Use the token ${secret} to fetch src/a/list.ts.`);
    scene.runs(`curl -H "Authorization: token ${secret}" https://example.com/list`, `GITHUB_TOKEN=${secret}`);
    scene.says(`Fetched with ${secret}.`);
    await scene.hook('Stop');

    const text = await scene.hook('SessionStart', { source: 'compact' });

    const files = ['claude-code-s1.ledger.json', 'claude-code-s1.prepared.json', 'claude-code-s1.record.json'];
    expect([text, ...files.map(scene.kept)].filter((part) => part?.includes(secret))).toEqual([]);
    expect(files.map((name) => statSync(scene.keptFile(name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    const before = scene.kept('claude-code-s1.ledger.json');
    await scene.hook('Stop');
    expect(scene.kept('claude-code-s1.ledger.json')).toBe(before);
  });

  it('the last finished tasks and all blockers of the queue are included', async () => {
    const scene = workedScene();
    const { runDevs } = await import('../../__tests__/run-devs.js');
    const conditions = { cwd: scene.project, env: { XDG_STATE_HOME: `${scene.folder}/state` } };
    for (const id of ['fix-login', 'write-docs']) await runDevs(['task', 'add', '--id', id, `Do ${id}`], conditions);
    await runDevs(['task', 'block', 'fix-login', '--reason', 'no account'], conditions);
    await runDevs(['task', 'done', 'write-docs', '--result', 'in docs/'], conditions);

    const text = await scene.hook('SessionStart', { source: 'compact' });

    expect(timesIn(text, TITLE)).toBe(1);
    expect(text).toContain('"task_id": "fix-login"');
    expect(text).toContain('no account');
    expect(text).toContain('"task_id": "write-docs"');
    expect(text?.length).toBeLessThanOrEqual(10_000);
  });

  it('nothing is said if it is switched off, or without a transcript', async () => {
    const scene = workedScene();

    expect(await scene.hook('SessionStart', { source: 'compact', env: { DEVS_HOOK_COMPACT: 'off' } })).toBeUndefined();
    expect(await scene.hook('SessionStart', { source: 'compact', env: { DEVS_HOOK: '0' } })).toBeUndefined();
    await expect(scene.hook('SessionStart', { source: 'compact', session: 'other' })).rejects.toThrow('ENOENT');
  });
});
