import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createRandom, type Random } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { loadWorkflowTemplateFromString } from '../loader.js';
import type { LoopStep, OnFail, WorkflowStep, WorkflowTemplate } from '../types.js';

it('a template that is written as YAML or JSON and loaded again is equal', () => {
  const random = createRandom(seed());
  for (let round = 0; round < rounds(80, 25_000); round++) {
    const template = randomTemplate(random);
    const yaml = stringify(template, { ...FAITHFUL, ...random.pick(STYLES) });
    expect(loadWorkflowTemplateFromString(yaml), yaml).toStrictEqual(template);
    expect(loadWorkflowTemplateFromString(JSON.stringify(template, null, random.below(9)))).toStrictEqual(template);
  }
}, 0);

/** With folded lines, another indent, or plain text in flow style, the library does not read back what it writes. */
const FAITHFUL = { lineWidth: 0, doubleQuotedAsJSON: true, aliasDuplicateObjects: false } as const;
const STYLES = [
  { defaultStringType: 'PLAIN' },
  { defaultStringType: 'QUOTE_SINGLE' },
  { defaultStringType: 'QUOTE_DOUBLE' },
  { defaultStringType: 'BLOCK_LITERAL' },
  { defaultStringType: 'QUOTE_DOUBLE', collectionStyle: 'flow' },
] as const;

function randomTemplate(random: Random): WorkflowTemplate {
  const agents = distinct(random, random.below(4));
  const agent = () => optional(random, 'agent', agents.length > 0, () => random.pick(agents));
  const loopSteps = distinct(random, random.below(4)).map((id) => ({ id, ...failure(random) }));
  const loops = loopSteps.map(({ id, on_fail }): [string, readonly LoopStep[]] => [
    id,
    distinct(random, 1 + random.below(3)).map((subStep) => ({
      id: subStep,
      ...agent(),
      instructions: text(random),
      ...failure(random, on_fail === 'retry'),
      ...optional(random, 'context', true, () => random.pick(['compact', 'clear'] as const)),
    })),
  ]);
  const others = distinct(random, 1 + random.below(4)).filter((id) => !loopSteps.some((step) => step.id === id));
  const steps: WorkflowStep[] = [
    ...others.map(
      (id): WorkflowStep => ({
        id,
        ...random.pick([{ type: 'action' }, { type: 'ralph', n: 1 + random.below(1_000) }] as const),
        ...agent(),
        instructions: text(random),
        ...failure(random),
      }),
    ),
    ...loopSteps.map(
      (step): WorkflowStep => ({
        ...step,
        type: 'loop',
        ...optional(random, 'loop', true, () => step.id),
        ...optional(random, 'artefacts', true, () => random.chance(0.5)),
      }),
    ),
  ];
  return {
    name: text(random),
    description: text(random),
    ...optional(random, 'agents', agents.length === 0, () => ({})),
    ...(agents.length > 0 && { agents: Object.fromEntries(agents.map((id) => [id, randomAgent(random)])) }),
    ...(loops.length > 0 && { loops: Object.fromEntries(loops) }),
    steps: (steps.length > 0
      ? steps
      : [{ id: 'only', type: 'action', instructions: text(random) }]) as unknown as WorkflowTemplate['steps'],
  };
}

const randomAgent = (random: Random) => ({
  description: text(random),
  ...optional(random, 'tools', true, () => texts(random)),
  ...optional(random, 'cannot', true, () => texts(random)),
});

/** `retries` only where they are not ignored. */
function failure(random: Random, inheritsRetry = false): { on_fail?: OnFail; retries?: number } {
  const chosen = optional(random, 'on_fail', true, () => random.pick(['retry', 'skip', 'abort'] as const));
  const isRetried = 'on_fail' in chosen ? chosen.on_fail === 'retry' : inheritsRetry;
  return { ...chosen, ...optional(random, 'retries', isRetried, () => 1 + random.below(100)) };
}

function optional<K extends string, V>(
  random: Random,
  key: K,
  isPossible: boolean,
  value: () => V,
): { [key in K]?: V } {
  return (isPossible && random.chance(0.5) ? { [key]: value() } : {}) as { [key in K]?: V };
}

const distinct = (random: Random, count: number): readonly string[] => [
  ...new Set(
    Array.from({ length: count }, () =>
      Array.from({ length: 1 + random.below(8) }, () => random.pick(LETTERS)).join(''),
    ),
  ),
];

const texts = (random: Random) => Array.from({ length: random.below(4) }, () => text(random));

/** Everything that YAML could take for another value. */
const text = (random: Random): string =>
  `${Array.from({ length: random.below(12) }, () => random.pick(PIECES)).join('')}x${random.pick(PIECES)}`;

const LETTERS = ['a', 'Z', '0', '9', '_', '-', '.', 'é', 'ß', '語', '𝒳', 'e1', 'true', 'null'];
const PIECES = [
  ...[' ', '  ', '\n', '\n\n', '\t', 'a', 'word', '- ', ': ', ':', ' #', '#', '"', "'", '\\', '{', '}', '[', ']', ','],
  ...[
    '&',
    '*',
    '!',
    '|',
    '>',
    '%',
    '@',
    '`',
    '---',
    '...',
    '<<',
    'null',
    'true',
    '1',
    '0x1',
    'é',
    '🚀',
    '\u00a0',
    '\u2028',
  ],
  ...['\r', '\r\n', '\0', '\u0007', '\ufeff', '\u0085', '{task.title}', '$&'],
];
