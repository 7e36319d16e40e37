import { didYouMean } from '../../yaml/did-you-mean.js';
import { excerpt } from '../../yaml/excerpt.js';
import type { ProblemList } from '../../yaml/problem-list.js';
import { loopsAtHand, pickLoop } from '../resolve-loop.js';
import type { LoopStep, WorkflowStep } from '../types.js';
import { callStep, type Draft, type Places } from './draft.js';

interface Checking {
  readonly draft: Draft;
  readonly places: Places;
  readonly problems: ProblemList;
}

type AnyStep = Partial<WorkflowStep> | Partial<LoopStep>;

/** Reports contradictions between the parts of a template. */
export function checkReferences(checking: Checking): void {
  const { steps = [], loops = {} } = checking.draft;
  checkAgents('Step', steps, checking);
  for (const subSteps of Object.values(loops)) checkAgents('Loop step', subSteps ?? [], checking);
  if (isUnreadable('loops', checking) || isUnreadable('steps', checking)) return;
  checkLoops(checking);
}

function checkAgents(called: string, steps: readonly AnyStep[], checking: Checking): void {
  if (isUnreadable('agents', checking)) return;
  const agents = checking.draft.agents ?? {};
  for (const [index, step] of steps.entries()) {
    if (step.agent === undefined || Object.hasOwn(agents, step.agent)) continue;
    report(checking, step, 'agent', {
      message: `${callStep(called, step.id, index)} refers to unknown agent '${excerpt(step.agent)}'`,
      hint: didYouMean(step.agent, Object.keys(agents)) ?? "add it under 'agents'",
    });
  }
}

function checkLoops(checking: Checking): void {
  const { steps = [], loops = {} } = checking.draft;
  const atHand = loopsAtHand(Object.keys(loops), steps);
  const used = new Set<string>();
  const retried = new Set<string>();
  for (const step of steps) {
    if (step.type !== 'loop' || step.id === undefined) continue;
    const loop = pickLoop({ id: step.id, ...(step.loop !== undefined && { loop: step.loop }) }, atHand);
    if (loop === undefined) reportMissingLoop(step, step.id, checking);
    else used.add(loop);
    if (loop !== undefined && step.on_fail === 'retry') retried.add(loop);
  }
  for (const [loop, subSteps] of Object.entries(loops)) {
    if (used.has(loop)) checkRetries(subSteps ?? [], retried.has(loop), checking);
    else reportUnusedLoop(loop, loops, checking);
  }
}

function reportMissingLoop(step: Partial<WorkflowStep>, id: string, checking: Checking): void {
  const subject = `Step '${excerpt(id)}'`;
  const known = Object.keys(checking.draft.loops ?? {});
  if (step.loop !== undefined) {
    const message = `${subject} refers to unknown loop '${excerpt(step.loop)}'`;
    report(checking, step, 'loop', { message, hint: didYouMean(step.loop, known) ?? "add it under 'loops'" });
  } else {
    const hint = `name one with 'loop:', or add '${excerpt(id)}' under 'loops'`;
    report(checking, step, 'id', { message: `${subject} is of type loop and has no loop`, hint });
  }
}

function reportUnusedLoop(loop: string, loops: object, checking: Checking): void {
  const at = checking.places.get(loops)?.get(loop)?.key ?? 0;
  const hint = "name it with 'loop:' in a step of type loop, or remove it";
  checking.problems.add(at, `Loop '${excerpt(loop)}' is used by no step`, hint);
}

/** A sub-step without an `on_fail` does what its loop step says. */
function checkRetries(subSteps: readonly Partial<LoopStep>[], loopIsRetried: boolean, checking: Checking): void {
  for (const [index, subStep] of subSteps.entries()) {
    if (subStep.retries === undefined || subStep.on_fail === 'retry') continue;
    const fields = checking.places.get(subStep);
    if (fields?.has('on_fail') ? subStep.on_fail === undefined : loopIsRetried) continue;
    const message = `${callStep('Loop step', subStep.id, index)} has 'retries' without 'on_fail: retry'`;
    checking.problems.add(fields?.get('retries')?.key ?? 0, message, 'it would be ignored');
  }
}

/** An invalid part: references to it may be right. */
const isUnreadable = (part: 'agents' | 'loops' | 'steps', { draft, places }: Checking) =>
  draft[part] === undefined && (places.get(draft)?.has(part) ?? false);

function report(
  { places, problems }: Checking,
  step: AnyStep,
  key: string,
  { message, hint }: { readonly message: string; readonly hint: string },
): void {
  problems.add(places.get(step)?.get(key)?.value ?? 0, message, hint);
}
