import type { LoopStep, OnFail, WorkflowStep, WorkflowTemplate } from '@devs/core';
import type { Random } from '@devs/core/testing';

const PIECES = [
  ...[
    '"',
    "'",
    '`',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '<',
    '>',
    '|',
    '#',
    ';',
    ':',
    '&',
    '%',
    '\\',
    '/',
    '-',
    '=',
    '~',
    '@',
  ],
  ...[
    'end',
    'subgraph',
    'style',
    'classDef x:a#b;',
    '%%{init',
    '-->',
    '<br/>',
    '#quot;',
    '&lt;',
    'ﬂ°°35¶ß',
    'graph TD',
  ],
  ...['\n', '\r\n', '\t', '\u001b', '\u2028', '\u202e', '\ud800', ' ', '漢', '😀', 'é', 'e\u0301', 'task', 'a', 'b'],
];

/** A template that no loader would accept: the notation must survive any input. */
export function randomTemplate(random: Random): WorkflowTemplate {
  const text = () => Array.from({ length: 1 + random.below(8) }, () => random.pick(PIECES)).join('');
  const facts = () => ({
    ...(random.chance(0.4) && { agent: text() }),
    ...(random.chance(0.4) && { context: random.pick(['compact', 'clear'] as const) }),
    ...(random.chance(0.6) && { on_fail: random.pick<OnFail>(['retry', 'skip', 'abort']) }),
    ...(random.chance(0.3) && { retries: 1 + random.below(9) }),
  });
  const subStep = (): LoopStep => ({ id: text(), instructions: text(), ...facts() });
  const loops: Record<string, LoopStep[]> = {};
  const steps = Array.from({ length: 1 + random.below(5) }, (_, index): WorkflowStep => {
    const type = random.pick(['action', 'loop', 'ralph'] as const);
    if (type !== 'loop') return { id: text(), type, ...(type === 'ralph' && { n: 1 + random.below(9) }), ...facts() };
    const loop = `loop${index}`;
    loops[loop] = Array.from({ length: 1 + random.below(4) }, subStep);
    return { id: text(), type, loop, ...facts() };
  });
  return { name: text(), description: text(), loops, steps: steps as unknown as WorkflowTemplate['steps'] };
}
