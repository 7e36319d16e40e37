import type { OpenedStore, RunEvent, Settings, Store } from '@devs/core';
import type { MergeNews, NotStarted as NotBegun, RunEnd } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import type { Console } from '../screen/console.js';
import type { OutputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { chooseStore, type StoreOptions, withStore } from '../store-access/with-store.js';
import type { FollowedRun, NewRunOrder } from './create-runs.js';
import { describeEnd, exitCodeOf } from './describe-end.js';
import { mergeRun, removeMergedWorktree, tellMerge } from './merge-run.js';
import type { RunServices } from './run-services.js';
import { createRunView, type RunView } from './run-view.js';
import { giveUpRun } from './stop-run.js';

export interface OneRun {
  readonly order: Omit<NewRunOrder, 'store' | 'onEscalation'>;
  /** The file of the project that the workflow is from, for people; missing for what ships with devs. */
  readonly from?: string;
  readonly mode: OutputMode;
  /** Does not follow it. */
  readonly detach?: boolean;
  readonly options: StoreOptions;
}

/** Starts or continues a run and follows it. Returns the exit code. */
export function runOne(one: OneRun, services: RunServices): Promise<number> {
  return withStore(services, one.options, async (opened) => {
    if (one.detach === true) return leave(one, opened, services);
    const { id, end, merge } = await supervise(one, opened, services);
    if (one.mode === 'json') services.print(toJson({ run: id, end }));
    else services.print(describeEnd(id, end).join('\n'));
    const code = exitCodeOf(end);
    if (code !== 0 || !one.order.merge) return code;
    const merged = merge ?? (await mergeHere(id, opened, services));
    tellMerge(id, merged, { mode: one.mode }, services);
    return merged.isMerged ? 0 : 1;
  });
}

/** Starts it, and leaves it to the supervisor. */
async function leave({ order, mode, options }: OneRun, { store }: OpenedStore, services: RunServices): Promise<number> {
  const whole = { ...order, store: chooseStore(options, services), onEscalation: 'wait' } as const;
  const outcome = await services.runs.start(whole, { store });
  if (outcome.status === 'cancelled') throw new CliError(outcome.why);
  if (outcome.status !== 'started') {
    const known = { subject: order.subject, hasWorktree: true, store, runs: services.runs };
    throw notStarted(await withoutRemains(outcome, known));
  }
  const { id } = outcome.run;
  for (const note of outcome.notes) services.warn(`devs: ${visible(note)}`);
  services.print(
    mode === 'json'
      ? toJson({ run: id })
      : `Run ${id} works. Follow it with \`devs logs ${id} -f\`; stop it with \`devs stop ${id}\`. The page: \`devs ui\`.`,
  );
  outcome.run.unfollow();
  return 0;
}

/** The supervisor that would have done it is gone. */
async function mergeHere(id: string, { store }: OpenedStore, services: RunServices): Promise<MergeNews> {
  const merge = await mergeRun(id, { store, runs: services.runs });
  if (merge.isMerged) await removeMergedWorktree(id, services);
  return merge;
}

interface Supervised {
  readonly id: string;
  readonly end: RunEnd;
  readonly merge?: MergeNews | undefined;
}

function supervise(one: OneRun, { store }: OpenedStore, services: RunServices): Promise<Supervised> {
  const { order, mode } = one;
  const { subject, settings } = order;
  // Who looks at a terminal can answer; a script gets its exit code.
  const onEscalation = services.live === undefined || mode === 'json' ? 'pause' : 'wait';
  const whole = { ...order, store: chooseStore(one.options, services), onEscalation } as const;
  return services.untilInterruptedTwice(async (signal, again) => {
    if (one.from !== undefined && mode === 'text') services.print(`Workflow from ${visible(one.from)}`);
    const view = createRunView(services, mode);
    if ('runId' in subject && services.live === undefined && mode === 'text')
      view.say(`devs: what happened before: devs logs ${visible(subject.runId)}`);
    const seen = new Set<string>();
    try {
      const outcome = await services.runs.start(whole, {
        store,
        onEvent(event) {
          view.see(event);
          seen.add(event.type);
          if (CALLS.has(event.type)) ringBell(settings, services);
        },
        onNotice: view.hear,
        onChange: view.changed,
        onSaid: view.say,
        signal,
      });
      if (outcome.status === 'cancelled')
        return { id: outcome.runId, end: { status: 'paused', why: outcome.why } } as const;
      if (outcome.status !== 'started') {
        const hasWorktree = seen.has('worktree.made');
        throw notStarted(await withoutRemains(outcome, { subject, hasWorktree, store, runs: services.runs }));
      }
      for (const note of outcome.notes) view.say(`devs: ${visible(note)}`);
      view.add(outcome.run);
      const end = await untilOver(outcome.run, view, { signal, again });
      return { id: outcome.run.id, end, merge: outcome.run.merge() };
    } finally {
      view.end();
    }
  });
}

/** The first Ctrl-C ends the agent politely and pauses the run, the second at once; what is stored stays stored either way. */
async function untilOver(
  run: Pick<FollowedRun, 'id' | 'stop' | 'done'>,
  view: Pick<RunView, 'say'>,
  { signal, again }: { readonly signal: AbortSignal; readonly again: AbortSignal },
): Promise<RunEnd> {
  const stop = () => {
    view.say(`devs: stopping run ${run.id}; the agent may finish its sentence. Ctrl-C again stops it at once.`);
    void run.stop({ now: false }).catch(() => {});
  };
  const stopNow = () => void run.stop({ now: true }).catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  again.addEventListener('abort', stopNow, { once: true });
  if (signal.aborted) stop();
  if (again.aborted) stopNow();
  try {
    return await run.done;
  } finally {
    signal.removeEventListener('abort', stop);
    again.removeEventListener('abort', stopNow);
  }
}

type NotStarted = Exclude<NotBegun, { status: 'cancelled' }>;

interface BegunParts {
  readonly subject: NewRunOrder['subject'];
  readonly hasWorktree: boolean;
  readonly store: Store;
  readonly runs: Pick<RunServices['runs'], 'removeWorktree'>;
}

/** A run that was refused before anything of it was made is not left for the user to wonder about. */
async function withoutRemains(
  outcome: NotStarted,
  { subject, hasWorktree, store, runs }: BegunParts,
): Promise<NotStarted> {
  if (outcome.status !== 'refused' || outcome.runId === undefined || 'runId' in subject || hasWorktree) return outcome;
  await giveUpRun(store, outcome.runId, outcome.reason);
  await runs.removeWorktree(outcome.runId).catch(() => {}); // as far as it was made
  const { runId: _, ...rest } = outcome;
  return rest;
}

/** What the user has to hear of wherever they are. */
export const CALLS: ReadonlySet<string> = new Set<RunEvent['type']>(['escalation.raised', 'escalation.unanswered']);

/** For a user who looks at it; the supervisor calls them wherever they are. */
export function ringBell({ notices }: Settings, { live }: Pick<Console, 'live'>): void {
  if (notices.bell) live?.write(BELL);
}

const BELL = '\u0007';

function notStarted(outcome: NotStarted): CliError {
  switch (outcome.status) {
    case 'held':
      return new CliError(
        `${visible(outcome.by)} supervises this run already. Watch it with \`devs\`, or end it there with \`devs stop\`.`,
      );
    case 'refused': {
      const goOn = outcome.runId === undefined ? '' : ` Then: devs resume ${outcome.runId}`;
      return new CliError(visible(`${outcome.reason}. ${outcome.advice}${goOn}`));
    }
    case 'finished':
      return new CliError(`this run is over already (${outcome.outcome}). See \`devs report\`.`);
    case 'unknown-run':
      return new CliError('there is no such run. `devs` lists them.');
  }
}
