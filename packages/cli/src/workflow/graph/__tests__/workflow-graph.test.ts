import { initialState, transition, type WorkflowState, type WorkflowTemplate } from '@devs/core';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorkflowWorld, removeWorlds, small } from '../../__tests__/workflow-world.js';
import { failureWords } from '../../step-words.js';
import { STARTER } from '../../workflow-new.js';

afterAll(removeWorlds);

describe('devs workflow graph', () => {
  it('draws the way from top to bottom, with loops in brackets', async () => {
    const { stdout } = await createWorkflowWorld({ stdin: STARTER }).workflow('graph', '-');

    expect(stdout.split('\n')).toEqual([
      'starter',
      'Say here what this workflow is for',
      '',
      '  start',
      '  ↓',
      '  plan',
      '  ↓',
      '  ╭ work        for each task',
      '  │ implement   on failure retry ×2',
      '  │ ↓',
      '  │ verify      on failure skip the task',
      '  ╰ ↺ next task',
      '  ↓',
      '  polish        ×2 · compact before each time',
      '  ↓',
      '  review        agent reviewer · clear first',
      '  ↓',
      '  done',
      '',
    ]);
  });

  it('puts facts that do not fit on lines of their own', async () => {
    const agent = `agent-${'x'.repeat(60)}`;
    const stdin = small(
      'wide',
      `    agent: ${agent}\n    context: clear\n    on_fail: retry\nagents: {${agent}: {description: y}}\n`,
    );

    const { stdout } = await createWorkflowWorld({ stdin }).workflow('graph', '-');

    expect(stdout).toContain(`  ↓\n  only\n     agent ${agent}\n     clear first · on failure retry ×3\n  ↓`);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('gives nodes and edges as JSON', async () => {
    const stdin = small('one', '    on_fail: skip\n  - id: two\n    type: ralph\n    n: 2\n    instructions: Again.\n');

    expect(await createWorkflowWorld({ stdin }).json('graph', '-')).toEqual({
      name: 'one',
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 's1', kind: 'step', step: 'only', type: 'action', on_fail: 'skip' },
        { id: 's2', kind: 'step', step: 'two', type: 'ralph', n: 2 },
        { id: 'done', kind: 'done' },
      ],
      edges: [
        { from: 'start', to: 's1', kind: 'next' },
        { from: 's1', to: 's2', kind: 'skip' },
        { from: 's1', to: 's2', kind: 'next' },
        { from: 's2', to: 's2', kind: 'again' },
        { from: 's2', to: 'done', kind: 'next' },
      ],
    });
  });

  it('is either Mermaid or JSON', async () => {
    const { workflow } = createWorkflowWorld({ shipped: { 'default.yaml': small('default') } });

    expect((await workflow('graph', 'default', '--mermaid')).stdout).toMatch(/^flowchart TD\n/);
    expect((await workflow('graph', 'default', '--mermaid', '--json')).exitCode).toBe(2);
  });
});

it('a step that says only retry is tried again as often as the words say', () => {
  const template: WorkflowTemplate = {
    name: 'x',
    description: 'y',
    steps: [{ id: 'a', type: 'action', instructions: 'z', on_fail: 'retry' }],
  };
  let state: WorkflowState = initialState(template);
  let retries = -1;
  while (state.status === 'running') {
    const next = transition(template, state, { type: 'step.failed', reason: 'no' });
    if (!next.ok) throw new Error(next.refusal.message);
    state = next.state;
    retries++;
  }

  expect(failureWords('retry', { inLoop: false })).toBe(`retry ×${retries}`);
});
