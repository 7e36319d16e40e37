import { timeOfDay } from '../../waiting/time-of-day.js';
import { type RunSigns, type TerminalSigns, whyRunWaits } from '../../waiting/why-it-waits.js';
import { isUnfinished } from '../decide-run.js';
import { holderOfRun } from '../holder-of-run.js';
import type { OpenEscalation, RunFacts } from '../run-facts.js';
import { type OpenedStore, readRuns } from './read-runs.js';

/** A run as `devs` lists it. */
export interface RunListing {
  readonly id: string;
  readonly request: string;
  readonly workflow: string;
  readonly agent: string;
  /** `interrupted`: unsupervised without a stated reason. */
  readonly state: 'running' | 'needs you' | 'paused' | 'interrupted';
  readonly since: number;
  readonly detail: string;
  /** Why it does not work on, as a sentence; missing where it works. */
  readonly waits?: string;
  /** What to type. */
  readonly advice?: string;
  /** Which machine has it, on a store that several share. */
  readonly machine?: string;
}

/** The runs that are not over; what needs the user first, then the newest. */
export async function listRuns(opened: OpenedStore, seen?: SeenTerminals): Promise<readonly RunListing[]> {
  const open = (await readRuns(opened)).filter(isUnfinished);
  const listed: RunListing[] = [];
  for (const run of open) {
    const lease = await holderOfRun(opened.store.leases, run.id);
    listed.push(describeRun(run, lease !== undefined, seen));
  }
  return listed.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || b.since - a.since);
}

const ON_ITS_WAY = 'your answer is on its way to the agent';
const STORED = 'your answer is stored';

const whatIsOpen = ({ question, unseen }: OpenEscalation): string =>
  unseen === undefined
    ? question
    : `your answer was ${unseen.isTyped ? 'typed and not seen' : 'not typed'}: ${question}`;

const ORDER: readonly RunListing['state'][] = ['needs you', 'interrupted', 'paused', 'running'];

/** What is seen of the terminals of runs now, and when that was. */
export interface SeenTerminals {
  readonly now: number;
  /** By the name of a terminal. */
  signs(terminal: string): TerminalSigns | undefined;
}

/** Pure: one run that is not over, for a list. */
export function describeRun(run: RunFacts, isLookedAfter: boolean, seen?: SeenTerminals): RunListing {
  const waits = whyRunWaits(signsOf(run, isLookedAfter, seen), (at) => timeOfDay(at, seen?.now ?? at));
  return { ...stateOf(run, isLookedAfter), ...(waits === undefined ? {} : { waits }) };
}

function signsOf({ escalation, phase, begun }: RunFacts, isSupervised: boolean, seen?: SeenTerminals): RunSigns {
  const terminal = begun === undefined ? undefined : seen?.signs(begun.terminal);
  return {
    isSupervised,
    isPreparing: begun === undefined,
    ...(escalation === undefined
      ? {}
      : { question: { text: whatIsOpen(escalation), isAnswered: escalation.answer !== undefined } }),
    ...(phase.kind === 'paused' ? { pausedWhy: phase.why } : {}),
    ...(terminal === undefined ? {} : { terminal }),
  };
}

function stateOf(run: RunFacts, isLookedAfter: boolean): RunListing {
  const { id, plan, escalation, phase, lastEventAt = 0 } = run;
  const base = {
    id,
    request: plan?.request ?? '',
    workflow: plan?.workflow ?? '',
    agent: plan?.agent ?? '',
    since: lastEventAt,
    ...(run.held === undefined ? {} : { machine: run.held.machine }),
  };
  if (escalation !== undefined && escalation.answer === undefined)
    return { ...base, state: 'needs you', detail: whatIsOpen(escalation), advice: `devs answer ${escalation.id} "…"` };
  if (isLookedAfter) return { ...base, state: 'running', detail: escalation === undefined ? '' : ON_ITS_WAY };
  const advice = `devs resume ${id}`;
  if (phase.kind === 'paused')
    return { ...base, state: 'paused', detail: escalation === undefined ? phase.why : STORED, advice };
  return { ...base, state: 'interrupted', detail: 'it is not supervised', advice };
}
