import { describe, expect, it } from 'vitest';
import { createScene } from './scene.js';

const REFRESH = '[CONTEXT REFRESH]\n## TAS Summary\n';

function sceneWithSpecs() {
  const scene = createScene();
  scene.writeFile('docs/TAS.md', '# TAS\n\n## Summary\nCents only.\n');
  scene.writeFile('PRD.md', '# PRD\n\n## Summary\nOne total.\n');
  const prompts = async (count: number, session = 's1') => {
    const told: (string | undefined)[] = [];
    for (let index = 0; index < count; index++) told.push(await scene.hook('UserPromptSubmit', { session }));
    return told;
  };
  return { ...scene, prompts };
}

const placesOf = (told: readonly (string | undefined)[]) =>
  told.flatMap((text, at) => (text === undefined ? [] : [at + 1]));

describe('the reminder', () => {
  it('[3_MCP-TAS-088] comes with every 20th prompt of a conversation, each counted for itself', async () => {
    const { prompts } = sceneWithSpecs();

    expect(placesOf(await prompts(15))).toEqual([]);
    expect(placesOf(await prompts(15, 'another'))).toEqual([]);
    const told = await prompts(30);
    expect(placesOf(told)).toEqual([5, 25]);
    expect(told[4]).toBe(`${REFRESH}Cents only.\n\n## PRD Summary\nOne total.`);
  });

  it('comes sooner where one prompt led to many calls of the model', async () => {
    const scene = sceneWithSpecs();
    await scene.prompts(1);
    for (let index = 0; index < 20; index++) scene.runs(`npm run step-${index}`, 'fine');
    await scene.hook('Stop');

    expect(placesOf(await scene.prompts(3))).toEqual([1]);
  });

  it('comes no sooner where the calls before it were counted late', async () => {
    const scene = sceneWithSpecs();
    scene.writeFile('.devs/hooks.json', '{ "reminderTurns": 3 }');
    await scene.prompts(1);
    scene.runs('npm run one', 'fine');
    scene.writeFile('PRD.md', '# PRD\n\n## Summary\nTwo totals.\n');
    expect(placesOf(await scene.prompts(1))).toEqual([1]);

    for (const step of ['two', 'three']) {
      scene.runs(`npm run ${step}`, 'fine');
      await scene.hook('Stop');
      expect(placesOf(await scene.prompts(1))).toEqual([]);
    }
    expect(placesOf(await scene.prompts(1))).toEqual([1]);
  });

  it('comes at once when the specs changed, under any name, and only once', async () => {
    const scene = sceneWithSpecs();
    await scene.prompts(2);
    scene.writeFile('PRD.md', '# PRD\n\n## Summary\nTwo totals.\n');

    const told = await scene.prompts(3);

    expect(placesOf(told)).toEqual([1]);
    expect(told[0]).toContain('Two totals.');
  });

  it('comes after a clear, and counting begins again', async () => {
    const scene = sceneWithSpecs();
    await scene.prompts(19);

    expect(await scene.hook('SessionStart', { source: 'clear', session: 's2' })).toContain(REFRESH);
    expect(placesOf(await scene.prompts(20, 's2'))).toEqual([20]);
  });

  it('never comes without specs, nor where it is switched off', async () => {
    const scene = sceneWithSpecs();
    const bare = createScene();
    const off = { source: 'clear', env: { DEVS_HOOK_REMINDER: 'off' } };

    expect(await scene.hook('SessionStart', off)).toBeUndefined();
    expect(await bare.hook('SessionStart', { source: 'clear' })).toBeUndefined();
  });

  it('has settings for how often, and for which files', async () => {
    const scene = sceneWithSpecs();
    scene.writeFile('notes/rules.md', '# Rules\n\n## Summary\nOther rules.\n');
    scene.writeFile('.devs/hooks.json', '{ "reminderTurns": 2, "specs": { "tas": "notes/rules.md" } }');

    const told = await scene.prompts(4);

    expect(placesOf(told)).toEqual([2, 4]);
    expect(told[1]).toContain('Other rules.');
  });

  it('[H21] is counted, as it stays in the conversation', async () => {
    const scene = sceneWithSpecs();
    scene.writeFile('.devs/hooks.json', '{ "reminderTurns": 1 }');
    const [first = '', second = ''] = await scene.prompts(2);

    expect(scene.log().map(({ event, chars, totalChars }) => ({ event, chars, totalChars }))).toEqual([
      { event: 'CONTEXT_REFRESH_INJECTED', chars: first.length, totalChars: first.length },
      { event: 'CONTEXT_REFRESH_INJECTED', chars: second.length, totalChars: first.length + second.length },
    ]);
  });
});
