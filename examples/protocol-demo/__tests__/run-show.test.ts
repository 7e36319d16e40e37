import type { LlmAnswer, LlmClient } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { runShow } from '../run-show.js';
import { createSceneModel } from '../scene-model.js';
import { SCENES } from '../scenes.js';
import type { ShowEvent } from '../show-event.js';

/** The scripted model with its answers changed on their way. */
const tampered = (change: (answer: LlmAnswer, prompt: string) => LlmAnswer): LlmClient => {
  const model = createSceneModel(SCENES);
  return {
    async complete(prompt, options) {
      return change((await model.complete(prompt, options)) as LlmAnswer, prompt);
    },
  };
};

async function show(model: LlmClient) {
  const events: ShowEvent[] = [];
  const { problems } = await runShow({ scenes: SCENES, model, report: (event) => void events.push(event) });
  return { events, problems };
}

describe('the show', () => {
  it('holds', async () => {
    expect((await show(createSceneModel(SCENES))).problems).toEqual([]);
  });

  it('reports every event as data that JSON keeps', async () => {
    const { events } = await show(createSceneModel(SCENES));

    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  });

  it('notices a value that changed in a completion', async () => {
    const model = tampered((answer, prompt) =>
      prompt.startsWith('Complete') ? { ...answer, text: answer.text.replace('toBe(101)', 'toBe(102)') } : answer,
    );

    expect((await show(model)).problems).toEqual(['turn 3: the envelope is not the one that the model meant to write']);
  });

  it('notices an answer that took another way than its title says', async () => {
    const model = tampered((answer) => ({ ...answer, text: answer.text.replace('"tool":', '"tool_name":') }));

    expect((await show(model)).problems).toEqual(['turn 6: took 1 model call instead of 2']);
  });

  it('notices a turn that was given up', async () => {
    const { problems } = await show({ complete: () => Promise.reject(new Error('no line')) });

    expect(problems).toHaveLength(SCENES.length);
    expect(problems[0]).toBe('turn 1: the turn was given up: no line');
  });
});

describe('the scripted model', () => {
  const scene = SCENES[2];
  const ask = (prompt: string) =>
    createSceneModel(SCENES).complete(prompt, { history: [{ role: 'user', text: scene?.prompt ?? '' }] });
  const resume = (prefix: string) =>
    `Complete the following SAOP JSON starting exactly where it left off. JSON so far:\n${prefix}`;

  it('continues from any place it is shown', async () => {
    const document = JSON.stringify(scene?.meant);

    for (const at of [1, 40, document.length - 1]) {
      expect(await ask(resume(document.slice(0, at)))).toMatchObject({ text: document.slice(at) });
    }
  });

  it('refuses to continue from foreign words', async () => {
    await expect(ask(resume('{"schema_version":"2'))).rejects.toThrow('words that the model never wrote');
  });

  it('knows nothing but its scenes', async () => {
    await expect(createSceneModel(SCENES).complete('Hello?')).rejects.toThrow('knows no scene');
  });
});
