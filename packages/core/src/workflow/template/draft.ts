import { excerpt } from '../../yaml/excerpt.js';
import type { AgentConfig, LoopStep, WorkflowStep } from '../types.js';
import type { Field } from './read-fields.js';

/** A template in which parts may be missing that were wrong, and are reported. All others are as the types say. */
export interface Draft {
  readonly agents?: Readonly<Record<string, AgentConfig | undefined>>;
  readonly loops?: Readonly<Record<string, readonly Partial<LoopStep>[] | undefined>>;
  readonly steps?: readonly Partial<WorkflowStep>[];
}

/** Places of a mapping's entries in the text, for problems found after reading. */
export type Places = WeakMap<object, ReadonlyMap<string, Field>>;

/** How messages call a step: by its id, or, where it has none, by its number. */
export const callStep = (called: string, id: string | undefined, index: number): string =>
  id === undefined || id.trim() === '' ? `${called} ${index + 1}` : `${called} '${excerpt(id)}'`;
