import { describe, expect, it } from 'vitest';
import { loadWorkflowTemplateFromString } from '../loader.js';

const HEAD = 'name: t\ndescription: t\n';
const MEGABYTE = 1_048_576;

describe('a hostile text', () => {
  it.each([
    { kind: 'lists', yaml: '['.repeat(500_000) },
    { kind: 'mappings', yaml: '{a: '.repeat(250_000) },
    { kind: 'anchored lists', yaml: '&a ['.repeat(250_000) },
    { kind: 'compact lists', yaml: '- '.repeat(500_000) },
    { kind: 'keys of keys', yaml: '? '.repeat(500_000) },
    { kind: 'indented keys', yaml: Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n') },
  ])('that nests $kind without end is refused before it can use up the stack', ({ yaml }) => {
    expect(() => loadWorkflowTemplateFromString(yaml)).toThrow('nested more than 64 levels deep');
  });

  it('may nest its own text as deep as it likes', () => {
    const art = '[[[[[{{{{{'.repeat(100);
    const yaml = `${HEAD}steps: [{ id: x, type: action, instructions: '${art}' }]`;
    expect(loadWorkflowTemplateFromString(yaml).steps[0]?.instructions).toBe(art);
  });

  it('with aliases of aliases of aliases is refused without being expanded', () => {
    const laughs = Array.from({ length: 30 }, (_, i) => `  a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]`);
    const yaml = `${HEAD}agents:\n  a0: &a0 { description: lol }\n${laughs.join('\n')}\nsteps: *a30\n`;
    expect(() => loadWorkflowTemplateFromString(yaml)).toThrow('Aliases stand for more than 1000000 characters');
  });

  it('that repeats one large part thousands of times by aliases is refused', () => {
    const tools = `&tools [${'Read,'.repeat(5_000)}]`;
    const agents = Array.from({ length: 2_000 }, (_, i) => `  a${i}: { description: x, tools: *tools }`);
    const yaml = `${HEAD}agents:\n  a: { description: x, tools: ${tools} }\n${agents.join('\n')}\nsteps: []\n`;
    expect(() => loadWorkflowTemplateFromString(yaml)).toThrow('Aliases stand for more than 1000000 characters');
  });

  it('with an alias of itself is refused', () => {
    expect(() => loadWorkflowTemplateFromString(`${HEAD}steps: &s [*s]`)).toThrow(
      "The alias '*s' stands for a part that it is in",
    );
  });

  it('with a key twice is refused, however many others there are', () => {
    const keys = Array.from({ length: 30_000 }, (_, i) => `k${i}:`).join('\n');
    expect(() => loadWorkflowTemplateFromString(`${keys}\nk7:\n`)).toThrow("unknown key 'k0'");
  });

  it('of nothing but mistakes is refused at the first hundred', () => {
    expect(() => loadWorkflowTemplateFromString(']'.repeat(MEGABYTE))).toThrow('has 101 problems');
  });

  it.each([
    { kind: 'a megabyte of ASCII', yaml: `# ${'x'.repeat(MEGABYTE - 2)}`, message: 'The template is empty' },
    { kind: 'a byte more', yaml: `# ${'x'.repeat(MEGABYTE - 1)}`, message: 'The template is over 1 MB' },
    { kind: 'a megabyte in fewer characters', yaml: `# ${'é'.repeat(MEGABYTE / 2)}`, message: 'over 1 MB' },
  ])('of $kind: $message', ({ yaml, message }) => {
    expect(() => loadWorkflowTemplateFromString(yaml)).toThrow(message);
  });

  it('has at most 10,000 steps', () => {
    const steps = (count: number) =>
      `${HEAD}steps:\n${Array.from({ length: count }, (_, i) => `  - { id: s${i}, type: action, instructions: x }\n`).join('')}`;
    expect(loadWorkflowTemplateFromString(steps(10_000)).steps).toHaveLength(10_000);
    expect(() => loadWorkflowTemplateFromString(steps(10_001))).toThrow(
      'line 4, column 3: Template steps must have at most 10000 steps, got: 10001',
    );
  });

  it.each(['__proto__', 'constructor', 'prototype'])('cannot name anything %s, and changes no prototype', (name) => {
    const yaml = `${HEAD}agents: { ${name}: { description: x } }\nsteps: [{ id: x, type: action, instructions: x, agent: ${name} }]`;
    expect(() => loadWorkflowTemplateFromString(yaml)).toThrow('Agent name is a reserved word');
    expect(() => loadWorkflowTemplateFromString(`${HEAD}${name}: { polluted: true }`)).toThrow('unknown key');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it.each(['!<constructor> x', '!<__proto__> x', '!<toString> [x]', '!<valueOf> {x: y}', '!!set {x}', '!!omap [x: y]'])(
    'with the tag of %s is refused',
    (value) => {
      expect(() => loadWorkflowTemplateFromString(`name: ${value}`)).toThrow('is not allowed');
    },
  );

  it.each([
    '',
    '\0',
    '\u{feff}',
    '\ud800',
    '%',
    '%YAML 9',
    '%TAG',
    '*',
    '&',
    '!',
    '|',
    '>-9',
    '?',
    ':',
    '---',
    '...',
    '\t',
    '\r',
  ])('of %j is a typed error', (yaml) => {
    expect(() => loadWorkflowTemplateFromString(yaml)).toThrow('The workflow template has');
  });
});
