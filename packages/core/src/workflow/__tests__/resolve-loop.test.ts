import { describe, expect, it } from 'vitest';
import { resolveLoop } from '../resolve-loop.js';
import type { LoopStep, WorkflowStep, WorkflowTemplate } from '../types.js';

const loopStep = (id: string, loop?: string): WorkflowStep => ({
  id,
  type: 'loop',
  ...(loop !== undefined && { loop }),
});
const subSteps = (id: string): readonly LoopStep[] => [{ id, instructions: 'x' }];
const template = (steps: readonly WorkflowStep[], ...loops: readonly string[]): WorkflowTemplate => ({
  name: 't',
  description: 't',
  loops: Object.fromEntries(loops.map((id) => [id, subSteps(id)])),
  steps: steps as unknown as WorkflowTemplate['steps'],
});

describe('a loop step', () => {
  it.each([
    { finds: 'the loop that it names', steps: [loopStep('a', 'b')], loops: ['a', 'b'], found: 'b' },
    { finds: 'the loop with its own id', steps: [loopStep('a')], loops: ['b', 'a'], found: 'a' },
    { finds: 'the only loop, being the only loop step', steps: [loopStep('a')], loops: ['b'], found: 'b' },
    {
      finds: 'nothing where it names a loop that is not there',
      steps: [loopStep('a', 'c')],
      loops: ['a'],
      found: undefined,
    },
    { finds: 'nothing where there are two other loops', steps: [loopStep('a')], loops: ['b', 'c'], found: undefined },
    {
      finds: 'nothing where another step could mean the loop',
      steps: [loopStep('a'), loopStep('d')],
      loops: ['b'],
      found: undefined,
    },
    { finds: 'nothing where there are no loops', steps: [loopStep('a')], loops: [], found: undefined },
    { finds: 'nothing in what every object has', steps: [loopStep('toString')], loops: ['b', 'c'], found: undefined },
  ])('finds $finds', ({ steps, loops, found }) => {
    const [step] = steps as [WorkflowStep];
    expect(resolveLoop(template(steps, ...loops), step)).toEqual(found === undefined ? undefined : subSteps(found));
  });

  it('finds nothing in a template without loops', () => {
    const step = loopStep('a');
    expect(resolveLoop({ name: 't', description: 't', steps: [step] }, step)).toBeUndefined();
  });
});
