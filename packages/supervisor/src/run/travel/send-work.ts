import { setTimeout as pauseFor } from 'node:timers/promises';
import { pushWork, runRef, snapshotWork } from '@devs/worktree';
import type { RunFolder } from '../prepare/prepare-folder.js';
import type { RunRequest } from '../run.js';
import type { RunRecord } from '../run-record.js';
import type { Travel } from './travel.js';

export type Sent =
  | { readonly status: 'sent' }
  /** Another machine has the run now. */
  | { readonly status: 'overtaken' }
  | { readonly status: 'not-sent'; readonly why: string; readonly isFinal: boolean };

/** Pushes the work of a run to where other machines find it, one push at a time, and says so in the log. */
export interface WorkSender {
  /** All work that exists at the call. Never rejects. */
  send(): Promise<Sent>;
  /** Again and again until it is sent, cannot be, or is cancelled. */
  sendSurely(signal: AbortSignal): Promise<Sent>;
}

export interface SenderOptions {
  readonly id: string;
  readonly request: RunRequest;
  readonly travel: Travel;
  readonly record: RunRecord;
  readonly folder: Pick<RunFolder, 'path' | 'base'>;
  /** Of the run's lease. */
  readonly fence: number;
  isOurs(): Promise<boolean>;
  /** What the agent leaves to one on another machine; `undefined` where there is none. */
  handoff(): Promise<string | undefined>;
  readonly patience?: Partial<SendPatience>;
}

interface SendPatience {
  readonly pauseMs: number;
  readonly mostMs: number;
}

const PATIENCE: SendPatience = { pauseMs: 5_000, mostMs: 30 * 60_000 };

export function createWorkSender(options: SenderOptions): WorkSender {
  const { pauseMs, mostMs } = { ...PATIENCE, ...options.patience };
  let last: Promise<unknown> = Promise.resolve();
  const send = (): Promise<Sent> => {
    const turn = last.then(() =>
      sendOnce(options).catch((error: unknown): Sent => ({ status: 'not-sent', why: String(error), isFinal: false })),
    );
    last = turn;
    return turn;
  };
  return {
    send,
    async sendSurely(signal) {
      const until = options.request.clock.now() + mostMs;
      for (;;) {
        const sent = await send();
        const isOver = signal.aborted || options.request.clock.now() >= until;
        if (sent.status !== 'not-sent' || sent.isFinal || isOver) return sent;
        await pauseFor(pauseMs, undefined, { signal }).catch(() => {});
      }
    },
  };
}

async function sendOnce(options: SenderOptions): Promise<Sent> {
  const { id, request, travel, record, folder, fence } = options;
  const { env, folder: project } = request.place;
  await record.read(); // every step that has ended by now is in the files
  const upTo = record.version;
  const snapshot = await snapshotWork({ folder: folder.path, env });
  if (snapshot.outcome !== 'taken') return notSent(`git does not say what there is (${snapshot.outcome})`);
  const { commit, work } = snapshot;
  const { pushed } = record.facts;
  const known = [folder.base, pushed?.commit, ...(record.facts.plan?.at ?? []).map((said) => said.commit)];
  const outcome = await pushWork({
    folder: project,
    remote: travel.remote,
    env,
    ref: runRef(id),
    commit: work ?? commit,
    known: known.filter((one) => one !== undefined),
    mayPush: options.isOurs,
  });
  if (outcome.outcome === 'overtaken') return { status: 'overtaken' };
  if (outcome.outcome === 'secret')
    return {
      status: 'not-sent',
      why: `${outcome.path} looks like it holds a secret, so the work stays on ${travel.machine}`,
      isFinal: true,
    };
  if (outcome.outcome === 'not-pushed') return notSent(`${travel.remote} (${travel.where}): ${outcome.message}`);
  const text = await options.handoff().catch(() => undefined);
  if (text !== undefined) await request.store.handoffs.save(id, { upTo, text });
  await record.append({ type: 'work.pushed', commit, ...(work === undefined ? {} : { work }), upTo, fence });
  return { status: 'sent' };
}

const notSent = (why: string): Sent => ({ status: 'not-sent', why, isFinal: false });
