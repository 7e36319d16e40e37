import { excerpt } from '../../yaml/excerpt.js';
import { type ReadText, readYaml, type TextKind } from '../../yaml/read-yaml.js';
import type { Path } from '../../yaml/yaml-tree.js';
import { type AgentConfig, type LoopStep, TemplateSchema, type WorkflowStep } from './template-schema.js';

/** A template in which parts may be missing that are wrong, and are reported. All others are as the types say. */
export interface Draft {
  readonly agents?: Readonly<Record<string, Partial<AgentConfig>>>;
  readonly loops?: Readonly<Record<string, readonly (Partial<LoopStep> | undefined)[]>>;
  readonly steps?: readonly (Partial<WorkflowStep> | undefined)[];
}

export interface ReadTemplate extends ReadText<unknown> {
  readonly draft: Draft;
}

const TEMPLATE: TextKind<unknown> = {
  schema: TemplateSchema,
  subject: 'The template',
  maxMegabytes: 1,
  tooLarge: 'a template describes steps; keep data elsewhere',
  mayBeEmpty: false,
  nameOf,
};

/** Reads a template by its schema; what its parts say about each other is not checked yet. */
export function readTemplate(yaml: string): ReadTemplate {
  const read = readYaml(yaml, TEMPLATE);
  return { ...read, draft: (read.said ?? {}) as Draft };
}

/** How messages call a step: by its id, or, where it has none, by its number. */
export const callStep = (called: string, id: unknown, index: number): string =>
  typeof id !== 'string' || id.trim() === '' ? `${called} ${index + 1}` : `${called} '${excerpt(id)}'`;

/** `Template name` · `Step 'plan' type` · `Agent 'a' tools entry 2` */
function nameOf([first, second, third, ...rest]: Path, root: unknown): string {
  if (first === undefined || second === undefined) return join('Template', first === undefined ? [] : [first]);
  const more = third === undefined ? rest : [third, ...rest];
  if (first === 'agents') return join(`Agent '${excerpt(String(second))}'`, more);
  if (first === 'steps') return join(callStep('Step', idAt(root, [first, second]), Number(second)), more);
  if (first !== 'loops') return join(`Template ${String(first)}`, [second, ...more]);
  if (third === undefined) return `Loop '${excerpt(String(second))}'`;
  return join(callStep('Loop step', idAt(root, [first, second, third]), Number(third)), rest);
}

const join = (start: string, path: Path): string =>
  [start, ...path.map((step) => (typeof step === 'number' ? `entry ${step + 1}` : String(step)))].join(' ');

const idAt = (root: unknown, path: Path): unknown =>
  [...path, 'id'].reduce<unknown>((value, step) => (isRecord(value) ? value[String(step)] : undefined), root);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
