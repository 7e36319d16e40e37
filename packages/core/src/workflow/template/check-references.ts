import { didYouMean } from '../../yaml/did-you-mean.js';
import { excerpt } from '../../yaml/excerpt.js';
import type { ReadText } from '../../yaml/read-yaml.js';
import type { Path } from '../../yaml/yaml-tree.js';
import { loopsAtHand, pickLoop } from '../resolve-loop.js';
import { callStep, type Draft } from './read-template.js';
import { type LoopStep, STEP_RULES, type WorkflowStep } from './template-schema.js';

type Checking = Pick<ReadText<unknown>, 'places' | 'problems'> & { readonly draft: Draft };
type AnyStep = Partial<WorkflowStep> | Partial<LoopStep>;

/** One step or sub-step of a draft. */
export interface FoundStep<T extends AnyStep = AnyStep> {
  readonly step: T;
  readonly path: Path;
  /** How messages call it. */
  readonly name: string;
}

/** Reports what the schema cannot see: contradictions within a step, and between the parts of a template. */
export function checkReferences(checking: Checking): void {
  const { steps = [], loops = {} } = checking.draft;
  const found = findSteps('Step', steps, ['steps']);
  for (const step of found) checkType(step, checking);
  checkSteps('Step', found, checking);
  for (const [loop, subSteps] of Object.entries(loops))
    checkSteps('Loop step', findSteps('Loop step', subSteps, ['loops', loop]), checking);
  if (isUnreadable('loops', checking) || isUnreadable('steps', checking)) return;
  checkLoops(found, checking);
}

/** The steps of a list that can be read. */
export const findSteps = <T extends AnyStep>(
  called: string,
  steps: readonly (T | undefined)[],
  path: Path,
): readonly FoundStep<T>[] =>
  steps.flatMap((step, index) =>
    step === undefined ? [] : [{ step, path: [...path, index], name: callStep(called, step.id, index) }],
  );

/** A wrong type is reported by itself. */
function checkType({ step, path, name }: FoundStep<Partial<WorkflowStep>>, { places, problems }: Checking): void {
  const { type } = step;
  if (type === undefined) return;
  for (const [key, { types, isRequired, otherwise }] of Object.entries(STEP_RULES)) {
    const isThere = places.has([...path, key]);
    if (types.includes(type)) {
      if (isRequired && !isThere) problems.add(places.contentOf(path), `${name} must have '${key}'`);
    } else if (isThere) {
      problems.add(places.keyOf([...path, key]), `${name} is of type ${type} and cannot have '${key}'`, otherwise);
    }
  }
  checkRetries({ step, path, name }, false, { places, problems });
}

function checkSteps(called: string, found: readonly FoundStep[], checking: Checking): void {
  const { places, problems } = checking;
  const first = new Map<string, Path>();
  for (const { step, path, name } of found) {
    const before = step.id === undefined ? undefined : first.get(step.id);
    if (before !== undefined) {
      const hint = `the first is in line ${problems.placeOf(places.valueOf(before)).line}`;
      problems.add(places.valueOf([...path, 'id']), `${called} '${step.id}' is there twice`, hint);
    } else if (step.id !== undefined) first.set(step.id, [...path, 'id']);
    const agents = places.namesIn(['agents']);
    if (step.agent === undefined || agents.includes(step.agent) || isUnreadable('agents', checking)) continue;
    problems.add(
      places.valueOf([...path, 'agent']),
      `${name} refers to unknown agent '${excerpt(step.agent)}'`,
      didYouMean(step.agent, agents) ?? "add it under 'agents'",
    );
  }
}

function checkLoops(steps: readonly FoundStep<Partial<WorkflowStep>>[], checking: Checking): void {
  const { places, problems } = checking;
  const atHand = loopsAtHand(
    places.namesIn(['loops']),
    steps.map(({ step }) => step),
  );
  const used = new Set<string>();
  const retried = new Set<string>();
  for (const found of steps) {
    const { id, type, loop: wanted, on_fail } = found.step;
    if (type !== 'loop' || id === undefined) continue;
    const loop = pickLoop({ id, ...(wanted !== undefined && { loop: wanted }) }, atHand);
    if (loop === undefined) reportMissingLoop(found, id, checking);
    else used.add(loop);
    if (loop !== undefined && on_fail === 'retry') retried.add(loop);
  }
  for (const loop of places.namesIn(['loops'])) {
    const subSteps = findSteps('Loop step', checking.draft.loops?.[loop] ?? [], ['loops', loop]);
    if (used.has(loop)) for (const found of subSteps) checkRetries(found, retried.has(loop), checking);
    else {
      const hint = "name it with 'loop:' in a step of type loop, or remove it";
      problems.add(places.keyOf(['loops', loop]), `Loop '${excerpt(loop)}' is used by no step`, hint);
    }
  }
}

function reportMissingLoop({ step, path }: FoundStep<Partial<WorkflowStep>>, id: string, checking: Checking): void {
  const { places, problems } = checking;
  const subject = `Step '${excerpt(id)}'`;
  if (step.loop === undefined) {
    const hint = `name one with 'loop:', or add '${excerpt(id)}' under 'loops'`;
    problems.add(places.valueOf([...path, 'id']), `${subject} is of type loop and has no loop`, hint);
    return;
  }
  const hint = didYouMean(step.loop, places.namesIn(['loops'])) ?? "add it under 'loops'";
  problems.add(places.valueOf([...path, 'loop']), `${subject} refers to unknown loop '${excerpt(step.loop)}'`, hint);
}

/** A sub-step without an `on_fail` does what its loop step says. */
function checkRetries(
  { step, path, name }: FoundStep,
  isRetriedAnyway: boolean,
  { places, problems }: Pick<Checking, 'places' | 'problems'>,
): void {
  if (!places.has([...path, 'retries']) || step.on_fail === 'retry') return;
  if (places.has([...path, 'on_fail']) ? step.on_fail === undefined : isRetriedAnyway) return;
  problems.add(
    places.keyOf([...path, 'retries']),
    `${name} has 'retries' without 'on_fail: retry'`,
    'it would be ignored',
  );
}

/** An invalid part: references to it may be right. */
const isUnreadable = (part: 'agents' | 'loops' | 'steps', { draft, places }: Checking): boolean =>
  draft[part] === undefined && places.has([part]);
