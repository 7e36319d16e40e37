import type { OpenedStore, RunEvent, Settings, Store } from '@devs/core';
import type { MergeNews, NotStarted as NotBegun, RunEnd } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import type { Services } from '../compose.js';
import type { OutputMode } from '../output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { chooseStore, type StoreOptions, withStore } from '../store-access/with-store.js';
import { describeEnd, exitCodeOf } from './describe-end.js';
import { followRun } from './follow-run.js';
import { giveUpRun } from './give-up-run.js';
import { mergeRun, removeMergedWorktree, tellMerge } from './merge-run.js';
import { createRunView } from './run-view.js';
import type { RunSubject } from './runs.js';

export interface OneRun {
  /** The file of the project that the workflow is from, for people; missing for what ships with devs. */
  readonly from?: string;
  readonly subject: RunSubject;
  readonly agent: string;
  readonly settings: Settings;
  readonly trustsFolder: boolean;
  readonly mode: OutputMode;
  /** Whether the work is brought to the user's branch when its checks pass. */
  readonly merge: boolean;
  /** Does not follow it. */
  readonly detach?: boolean;
  readonly options: StoreOptions;
}

/** Starts or continues a run and follows it. Returns the exit code. */
export function runOne(one: OneRun, services: Services): Promise<number> {
  return withStore(services, one.options, async (opened) => {
    if (one.detach === true) return leave(one, opened, services);
    const { id, end, merge } = await supervise(one, opened, services);
    if (one.mode === 'json') services.print(toJson({ run: id, end }));
    else services.print(describeEnd(id, end).join('\n'));
    const code = exitCodeOf(end);
    if (code !== 0 || !one.merge) return code;
    const merged = merge ?? (await mergeHere(id, opened, services));
    tellMerge(id, merged, { mode: one.mode }, services);
    return merged.isMerged ? 0 : 1;
  });
}

/** Starts it, and leaves it to the supervisor. */
async function leave(one: OneRun, { store }: OpenedStore, services: Services): Promise<number> {
  const { settings, agent, subject, trustsFolder, merge, mode } = one;
  const outcome = await services.runs.start({
    settings,
    agent,
    trustsFolder,
    store,
    location: chooseStore(one.options, services),
    subject,
    merge,
    onEscalation: 'wait',
  });
  if (outcome.status === 'cancelled') throw new CliError(outcome.why);
  if (outcome.status !== 'started') {
    const known = { subject, hasWorktree: true, store, runs: services.runs };
    throw notStarted(await withoutRemains(outcome, known));
  }
  const { id } = outcome.run;
  for (const note of outcome.notes) services.complain(`devs: ${visible(note)}`);
  services.print(
    mode === 'json'
      ? toJson({ run: id })
      : `Run ${id} works. Follow it with \`devs logs ${id} -f\`; stop it with \`devs stop ${id}\`. The page: \`devs ui\`.`,
  );
  outcome.run.unfollow();
  return 0;
}

/** The supervisor that would have done it is gone. */
async function mergeHere(id: string, { store }: OpenedStore, services: Services): Promise<MergeNews> {
  const merge = await mergeRun(id, { store, runs: services.runs });
  if (merge.isMerged) await removeMergedWorktree(id, services);
  return merge;
}

async function supervise(
  one: OneRun,
  { store }: OpenedStore,
  services: Services,
): Promise<{ id: string; end: RunEnd; merge?: MergeNews | undefined }> {
  const { settings, agent, subject, mode, trustsFolder } = one;
  return services.untilInterruptedTwice(async (signal, again) => {
    if (one.from !== undefined && mode === 'text') services.print(`Workflow from ${visible(one.from)}`);
    const view = createRunView(services, mode);
    const seen = new Set<string>();
    const begunAt = services.clock.now();
    try {
      const outcome = await services.runs.start({
        settings,
        agent,
        trustsFolder,
        store,
        location: chooseStore(one.options, services),
        subject,
        // Who looks at a terminal can answer; a script gets its exit code.
        onEscalation: services.live === undefined || mode === 'json' ? 'pause' : 'wait',
        onEvent(event) {
          view.see(event);
          seen.add(event.type);
          // The first events of an existing run are its past.
          if (CALLS.has(event.type) && event.at >= begunAt) ringBell(settings, services);
        },
        onNotice: view.hear,
        onChange: view.changed,
        onSaid: view.say,
        merge: one.merge,
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
      const end = await followRun(outcome.run, view, { signal, again });
      return { id: outcome.run.id, end, merge: outcome.run.merge() };
    } finally {
      view.end();
    }
  });
}

type NotStarted = Exclude<NotBegun, { status: 'cancelled' }>;

interface BegunParts {
  readonly subject: RunSubject;
  readonly hasWorktree: boolean;
  readonly store: Store;
  readonly runs: Pick<Services['runs'], 'removeWorktree'>;
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
export function ringBell({ notices }: Settings, { live }: Pick<Services, 'live'>): void {
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
