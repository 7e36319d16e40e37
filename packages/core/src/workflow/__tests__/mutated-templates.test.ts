import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { WorkflowValidationError } from '../../errors/workflow-validation-error.js';
import { createRandom, type Random } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { loadWorkflowTemplateFromString } from '../loader.js';
import { resolveLoop } from '../resolve-loop.js';
import { workflowTemplateJsonSchema } from '../template/template-schema.js';
import type { WorkflowTemplate } from '../types.js';

const FOLDER = new URL('../../../../../workflows/', import.meta.url);
const SHIPPED = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(new URL(file, FOLDER), 'utf8'));
const fitsSchema = new Ajv().compile(workflowTemplateJsonSchema());

describe('a template that was changed at random', () => {
  it('is valid, or its problems are listed; nothing else is thrown', () => {
    const random = createRandom(seed());
    const outcomes = { valid: 0, refused: 0 };
    for (let round = 0; round < rounds(250, 100_000); round++) {
      outcomes[expectTyped(mutate(random.pick(SHIPPED), random))]++;
    }
    // Else the mutations would be too wild, or too tame, to prove anything.
    expect(outcomes.valid).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  }, 0);

  it('of keys and values that do not belong together is refused or valid', () => {
    const random = createRandom(seed() + 1);
    for (let round = 0; round < rounds(100, 25_000); round++) expectTyped(nonsense(random));
  }, 0);
});

function expectTyped(yaml: string): 'valid' | 'refused' {
  try {
    expectWhole(loadWorkflowTemplateFromString(yaml));
    return 'valid';
  } catch (error) {
    if (!(error instanceof WorkflowValidationError)) throw new Error(`escaped from:\n${yaml}`, { cause: error });
    const lines = yaml.split('\n').length;
    for (const { message, line, column } of error.problems) {
      expect(message).not.toBe('');
      expect(line, message).toBeGreaterThanOrEqual(1);
      expect(line, message).toBeLessThanOrEqual(lines);
      expect(column, message).toBeGreaterThanOrEqual(1);
    }
    expect(error.problems.length).toBeGreaterThan(0);
    return 'refused';
  }
}

/** An accepted template is reliable: it fits the schema, and every reference resolves. */
function expectWhole(template: WorkflowTemplate): void {
  expect(fitsSchema(template), JSON.stringify(fitsSchema.errors)).toBe(true);
  const { agents = {}, loops = {}, steps } = template;
  for (const step of steps) if (step.type === 'loop') expect(resolveLoop(template, step)).toBeDefined();
  for (const { agent } of [...steps, ...Object.values(loops).flat()]) {
    if (agent !== undefined) expect(Object.hasOwn(agents, agent)).toBe(true);
  }
}

function mutate(text: string, random: Random): string {
  let mutated = text;
  for (let times = 1 + random.below(4); times > 0; times--) {
    mutated = random.chance(0.5) ? mutateLines(mutated, random) : mutateCharacters(mutated, random);
  }
  return mutated;
}

function mutateLines(text: string, random: Random): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  switch (random.below(5)) {
    case 0:
      return lines.toSpliced(at, 1 + random.below(3)).join('\n');
    case 1:
      return lines.toSpliced(at, 0, line).join('\n');
    case 2:
      return lines.with(at, lines[random.below(lines.length)] ?? '').join('\n');
    case 3:
      return lines
        .with(
          at,
          line.replace(/\S.*/, () => `${random.pick(KEYS)}: ${random.pick(VALUES)}`),
        )
        .join('\n');
    default:
      return lines
        .with(
          at,
          line.replace(/: .*/, () => `: ${random.pick(VALUES)}`),
        )
        .join('\n');
  }
}

function mutateCharacters(text: string, random: Random): string {
  const at = random.below(text.length);
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + random.below(5));
    case 1:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    case 2:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at + 1);
    default:
      return text.slice(0, at);
  }
}

function nonsense(random: Random, depth = 0): string {
  const indent = '  '.repeat(depth);
  return Array.from({ length: 1 + random.below(5) }, () => {
    const start = random.chance(0.3) ? '- ' : '';
    if (depth < 4 && random.chance(0.4))
      return `${indent}${start}${random.pick(KEYS)}:\n${nonsense(random, depth + 1)}`;
    return `${indent}${start}${random.pick(KEYS)}: ${random.pick(VALUES)}`;
  }).join('\n');
}

const KEYS = [
  ...['name', 'description', 'agents', 'loops', 'steps', 'id', 'type', 'agent', 'instructions', 'loop', 'n'],
  ...['artefacts', 'on_fail', 'retries', 'context', 'tools', 'cannot', '<<', '__proto__', '5', '"a b"', '? x', '*a'],
];
const VALUES = [
  ...['x', 'plan', 'work', 'action', 'loop', 'ralph', 'retry', 'skip', 'abort', 'compact', 'clear', 'reviewer', 'move'],
  ...['', '~', '0', '3', '1.5', '-1', '1e999', 'true', 'no', '2026-01-01', '0x10', '"', "'", '"\\ud800"', '"\\0"'],
  ...['[]', '{}', '[x, 5]', '{ id: x }', '[{ id: x, instructions: y }]', '&a x', '*a', '&a [*a]', '!!js/function x'],
  ...[
    '!!binary aGk=',
    '!<constructor> x',
    '|',
    '>-',
    '|\n\n\n',
    'a: b',
    '@',
    '`',
    '%',
    '#',
    'ü',
    '🚀',
    'x'.repeat(300),
  ],
];
const PIECES = [
  ...[
    '\n',
    '\n\n',
    '\r',
    '\t',
    ' ',
    '  ',
    '- ',
    ': ',
    ':',
    '# ',
    '? ',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '\0',
    '\ufeff',
  ],
  ...['"', "'", '[', ']', '{', '}', ',', '|', '>', '&a ', '*a', '!!set ', '!x ', '<<: *a\n', '\\', 'é', '🚀', '\ud83d'],
];
