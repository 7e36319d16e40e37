import { setTimeout as pause } from 'node:timers/promises';
import type { RenewOutcome, RenewWish, SupervisedTerminal, SuperviseOutcome, SuperviseRequest } from '@devs/supervisor';
import { askControl } from '../control/ask-control.js';
import { serveControl } from '../control/serve-control.js';
import type { TerminalWorld } from '../terminal-world.js';
import { answerControl, createReplacements, isReplacing } from './answer-control.js';
import { createOtherWindows, type OtherWindows } from './other-windows.js';

/** A terminal that this process looks after, now or as soon as nobody else does. */
export interface KeptTerminal {
  /** `undefined` while somebody else supervises it. */
  readonly terminal: SupervisedTerminal | undefined;
  readonly isReplacing: boolean;
  /** The user has typed in the window of this process. */
  typed(): void;
  /** Goes on in a conversation that began from a handoff. */
  renew(wish: RenewWish): Promise<RenewOutcome | undefined>;
  close(): Promise<void>;
}

interface KeepingManner {
  /** The user is back, and it is to be let go. */
  readonly onHandOver?: () => void;
  /** It is supervised here from now on. */
  readonly onTaken?: (terminal: SupervisedTerminal) => void;
}

interface KeepingWorld {
  readonly places: Pick<TerminalWorld['places'], 'controlSocket' | 'hostFolder'>;
  readonly by: string;
  readonly loadSupervisor: () => Promise<Pick<typeof import('@devs/supervisor'), 'superviseTerminal'>>;
}

const AGAIN_MS = 1_000;
const ANSWER_MS = 1_000;

/**
 * Supervises it and answers other processes for it. Where the user sits in front of it here, whoever only keeps it for him is
 * asked to let go, as often as it takes, and is told meanwhile that he is there (H17).
 */
export async function keepSupervised(
  world: KeepingWorld,
  request: SuperviseRequest,
  { onHandOver, onTaken }: KeepingManner = {},
): Promise<{ readonly outcome: SuperviseOutcome; readonly kept: KeptTerminal }> {
  const { superviseTerminal } = await world.loadSupervisor();
  const replacements = createReplacements();
  const leaving = new AbortController();
  let terminal: SupervisedTerminal | undefined;
  let control: { close(): void } | undefined;
  let windows: OtherWindows | undefined;
  let hasTyped = false;
  const isAttached = request.attended === true;
  const socket = world.places.controlSocket(request.name);

  /** Nobody may listen yet, or the one who does may have other things to finish first. */
  const askToLetGo = async () => {
    if (isAttached) await askControl(socket, { do: 'hand-over' }, { timeoutMs: ANSWER_MS });
  };
  const tellPresence = async (attached: boolean) => {
    if (!isAttached) return;
    const typed = hasTyped;
    hasTyped = false;
    await askControl(socket, { do: 'user', attached, typed }, { timeoutMs: ANSWER_MS });
  };
  const take = async (): Promise<SuperviseOutcome> => {
    const outcome = await superviseTerminal({
      ...request,
      onNotice(notice) {
        if (notice.kind === 'lost') letGo();
        request.onNotice?.(notice);
      },
    });
    if (outcome.status !== 'supervised') return outcome;
    if (leaving.signal.aborted) await outcome.terminal.close();
    else {
      terminal = outcome.terminal;
      onTaken?.(terminal);
      windows = createOtherWindows(terminal, isAttached);
      const answering = { terminal, replacements, windows, by: world.by };
      if (hasTyped) terminal.user({ typed: true });
      const place = { name: request.name, socketPath: socket, hostFolder: world.places.hostFolder };
      control = await serveControl(place, async (asked) => {
        if (asked.do !== 'hand-over' || onHandOver === undefined) return answerControl(asked, answering);
        onHandOver();
        return 'handed-over';
      }).catch(() => undefined); // others cannot ask then; the user himself can
      request.onChange?.();
    }
    return outcome;
  };
  const letGo = () => {
    control?.close();
    windows?.close();
    [terminal, control, windows] = [undefined, undefined, undefined];
  };

  await askToLetGo();
  const outcome = await take();
  if (outcome.status === 'held') void takeOver();
  return {
    outcome,
    kept: {
      get terminal() {
        return terminal;
      },
      get isReplacing() {
        return terminal !== undefined && isReplacing(terminal, replacements);
      },
      typed() {
        if (terminal === undefined) hasTyped = true;
        else terminal.user({ typed: true });
      },
      async renew(wish) {
        const own = terminal;
        return own === undefined ? undefined : replacements.during(() => own.renew(wish));
      },
      async close() {
        const isElsewhere = terminal === undefined && outcome.status === 'held' && !leaving.signal.aborted;
        leaving.abort();
        const own = terminal;
        letGo();
        await own?.close();
        if (isElsewhere) await tellPresence(false);
      },
    },
  };

  /** Whoever holds it may be gone already, and only his lease is left. */
  async function takeOver(): Promise<void> {
    const { launch: _, ...rest } = request;
    request = rest;
    while (!leaving.signal.aborted) {
      await tellPresence(true);
      await pause(AGAIN_MS, undefined, { signal: leaving.signal, ref: false }).catch(() => {});
      if (leaving.signal.aborted) return;
      await askToLetGo();
      const next = await take().catch(() => undefined); // a store that is busy is asked again
      if (next !== undefined && next.status !== 'held') return;
    }
  }
}
