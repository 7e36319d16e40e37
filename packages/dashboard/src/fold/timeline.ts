import { describeEvent, type StoredEvent, terminalsOfRun } from '@devs/core/folds';
import type { ProjectState, RunState } from './project-fold.js';

export type TimelineKind = 'step' | 'turn' | 'context' | 'prompt' | 'question' | 'check' | 'trouble' | 'other';

/** Something that happened to a run, or in a terminal of it. */
export interface TimelineItem {
  readonly position: number;
  readonly at: number;
  readonly kind: TimelineKind;
  readonly text: string;
  readonly event: StoredEvent;
}

const KINDS: readonly (readonly [TimelineKind, RegExp])[] = [
  ['step', /^(?:step|tasks|workflow|artefacts)\./],
  ['turn', /^usage\.counted$/],
  ['context', /^(?:context-action|renewal|handoff|document|checkpoint|takeover|agent|restart|reminder|protocol)\./],
  ['prompt', /^(?:prompt|text|dialog)\./],
  ['question', /^escalation\./],
  ['check', /^(?:check|commits|run\.merged)/],
  ['trouble', /^(?:stuck|tools|budget|trouble|spawn|terminal\.parked)/],
];

/** Samples that charts show, and bookkeeping between processes. */
const HIDDEN = new Set(['usage.observed', 'head.observed', 'task.held', 'conversation.observed']);

/** Whether an event is bookkeeping that no reader misses. Pure. */
export const isQuiet = ({ type }: StoredEvent): boolean => HIDDEN.has(type) || type === 'usage.counted';

const kindOf = (type: string): TimelineKind => KINDS.find(([, pattern]) => pattern.test(type))?.[0] ?? 'other';

/** The events of a run and of its terminals, in the order of the log. Pure. */
export function timelineOf(run: RunState, { terminals }: ProjectState): readonly TimelineItem[] {
  const inside = terminalsOfRun(run.events).flatMap((name) => terminals.get(name) ?? []);
  return [...run.events, ...inside]
    .filter(({ type }) => !HIDDEN.has(type))
    .sort((a, b) => a.position - b.position)
    .map((event) => ({
      position: event.position,
      at: event.at,
      kind: kindOf(event.type),
      text: describeEvent(event),
      event,
    }));
}

/** The exact words that devs typed for the agent, oldest first. Pure. */
export const promptsOf = (items: readonly TimelineItem[]): readonly (TimelineItem & { readonly prompt: string })[] =>
  items.flatMap((item) => {
    const { type, data } = item.event;
    const isPrompt = type === 'prompt.intended' || type === 'text.intended';
    return isPrompt && typeof data.text === 'string' ? [{ ...item, prompt: data.text }] : [];
  });
