import { runIdOf, type Settings, type Store, type StoredEvent } from '@devs/core';
import type { RunEnd, StartRunOutcome } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import type { Services } from '../compose.js';
import type { OutputMode } from '../output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { chooseStore, type OpenedStore, type StoreOptions, withStore } from '../store-access/with-store.js';
import { describeEnd, exitCodeOf } from './describe-end.js';
import { followRun } from './follow-run.js';
import { giveUpRun } from './give-up-run.js';
import { mergeRun, removeMergedWorktree } from './merge-run.js';
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
  readonly options: StoreOptions;
}

/** Begins a run, or goes on with one, and stays with it. Gives the exit code. */
export function runOne(one: OneRun, services: Services): Promise<number> {
  return withStore(services, one.options, async (opened) => {
    const { id, end } = await supervise(one, opened, services);
    tellEnd(id, end, one.settings, services);
    if (one.mode === 'json') services.print(toJson({ run: id, end }));
    else services.print(describeEnd(id, end).join('\n'));
    const code = exitCodeOf(end);
    if (code !== 0 || !one.merge) return code;
    const isMerged = await mergeRun(id, { ...opened, mode: one.mode }, services);
    if (isMerged) await removeMergedWorktree(id, services);
    return isMerged ? 0 : 1;
  });
}

async function supervise(
  one: OneRun,
  { store }: OpenedStore,
  services: Services,
): Promise<{ id: string; end: RunEnd }> {
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
          // What is told first of a run that is there is its past.
          if (event.type === 'escalation.raised' && event.at >= begunAt) callUser(event, settings, services);
        },
        onChange: view.changed,
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
      return { id: outcome.run.id, end };
    } finally {
      view.end();
    }
  });
}

type NotStarted = Exclude<StartRunOutcome, { status: 'started' | 'cancelled' }>;

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

/** By the bell, where he looks at it, and by his own program wherever he is. */
export function callUser(
  { stream, data }: Pick<StoredEvent, 'stream' | 'data'>,
  settings: Settings,
  { live, runs }: Pick<Services, 'live' | 'runs'>,
): void {
  if (settings.notices.bell) live?.write(BELL);
  const run = runIdOf(stream) ?? stream;
  runs.tell(settings, { kind: 'escalated', run, text: `devs: ${run} needs you: ${String(data.question)}` });
}

/** Whoever waits for a run of hours is somewhere else when it ends. A question was told already. */
export function tellEnd(id: string, end: RunEnd, settings: Settings, { runs }: Pick<Services, 'runs'>): void {
  if (end.status === 'paused' && end.escalation !== undefined) return;
  const [text = ''] = describeEnd(id, end);
  runs.tell(settings, { kind: 'run-ended', run: id, text: `devs: ${text}` });
}

const BELL = '\u0007';

function notStarted(outcome: NotStarted): CliError {
  switch (outcome.status) {
    case 'held':
      return new CliError(
        `${visible(outcome.by)} looks after this run already. Watch it with \`devs\`, or end it there with \`devs stop\`.`,
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
