import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findUnknownPlaceholders } from '../loader.js';

const withTexts = (step: string, subStep: string) => `name: x
description: X
loops:
  work:
    - id: do
      instructions: |
        ${subStep}
steps:
  - { id: plan, type: action, instructions: ${JSON.stringify(step)} }
  - { id: work, type: loop }
`;

describe('placeholders that nothing fills in', () => {
  it.each([
    ['{task.name}', "Loop step 'do' holds {task.name}, which is not filled in"],
    ['{ task.title }', "Loop step 'do' holds { task.title }, which is not filled in"],
    ['{Task.title}', "Loop step 'do' holds {Task.title}, which is not filled in"],
    ['{task}', "Loop step 'do' holds {task}, which is not filled in"],
    ['{outputs.plan}', "Loop step 'do' holds {outputs.plan}, which is not filled in"],
    ['{request}', "Loop step 'do' holds {request}, which is not filled in"],
    ['{title}', "Loop step 'do' holds {title}, which is not filled in"],
    ['{{task.title}}', "Loop step 'do' holds {{task.title}}, which is not filled in"],
    ['{{ Task.name }}', "Loop step 'do' holds {{ Task.name }}, which is not filled in"],
  ])('%s is reported with its place', (written, message) => {
    expect(findUnknownPlaceholders(withTexts('Plan.', `Do ${written} now.`))).toEqual([
      { message, line: 7, column: 12, hint: expect.any(String) },
    ]);
  });

  it('are those of a task in a step that has none', () => {
    expect(findUnknownPlaceholders(withTexts('Plan {task.title}.', 'Do {task.title}.'))).toEqual([
      {
        message: "Step 'plan' holds {task.title}, which is not filled in",
        line: 9,
        column: expect.any(Number),
        hint: 'only the sub-steps of a loop have a task; say it in words, or move the text into a loop',
      },
    ]);
  });

  it('suggest the nearest one there is', () => {
    const [problem] = findUnknownPlaceholders(withTexts('Plan.', '{task.titel}'));
    expect(problem?.hint).toBe("did you mean '{task.title}'?");
  });

  it.each([
    '{task.id}: {task.title} {task.description}',
    `$${'{task.x}'} {{user.x}} {{name}} \\{task.x}`,
    '{} { a: 1 } {name} {"a.b": 1}',
  ])('are none in %s', (text) => {
    expect(findUnknownPlaceholders(withTexts('Plan.', text))).toEqual([]);
  });

  it('are in none of the workflows that come with devs', () => {
    const folder = new URL('../../../../../workflows/', import.meta.url);
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.yaml')))
      expect(findUnknownPlaceholders(readFileSync(new URL(name, folder), 'utf8')), name).toEqual([]);
  });
});
