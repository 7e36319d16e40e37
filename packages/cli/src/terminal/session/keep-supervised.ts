import { setTimeout as pause } from 'node:timers/promises';
import type { SupervisedTerminal, SuperviseOutcome, SuperviseRequest } from '@devs/supervisor';
import { serveControl } from '../control/serve-control.js';
import type { TerminalWorld } from '../terminal-world.js';
import { answerControl, createReplacements, isReplacing } from './answer-control.js';

/** A terminal that this process looks after, now or as soon as nobody else does. */
export interface KeptTerminal {
  /** `undefined` while somebody else supervises it. */
  readonly terminal: SupervisedTerminal | undefined;
  readonly isReplacing: boolean;
  /** Goes on in a conversation that began from a handoff. */
  renew(): Promise<Awaited<ReturnType<SupervisedTerminal['renew']>> | undefined>;
  close(): Promise<void>;
}

const AGAIN_MS = 1_000;

/** Supervises it and answers other processes for it. */
export async function keepSupervised(
  world: TerminalWorld,
  request: SuperviseRequest,
  { onHandOver }: { readonly onHandOver?: () => void } = {},
): Promise<{ readonly outcome: SuperviseOutcome; readonly kept: KeptTerminal }> {
  const { superviseTerminal } = await world.loadSupervisor();
  const replacements = createReplacements();
  const leaving = new AbortController();
  let terminal: SupervisedTerminal | undefined;
  let control: { close(): void } | undefined;

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
      const own = terminal;
      control = await serveControl(world.places.controlSocket(request.name), async (asked) => {
        if (asked.do !== 'hand-over' || onHandOver === undefined) return answerControl(asked, own, replacements);
        onHandOver();
        return 'handed-over';
      }).catch(() => undefined); // others cannot ask then; the user himself can
      request.onChange?.();
    }
    return outcome;
  };
  const letGo = () => {
    control?.close();
    [terminal, control] = [undefined, undefined];
  };

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
      async renew() {
        const own = terminal;
        return own === undefined ? undefined : replacements.during(() => own.renew());
      },
      async close() {
        leaving.abort();
        const own = terminal;
        letGo();
        await own?.close();
      },
    },
  };

  /** Whoever holds it may be gone already, and only his lease is left. */
  async function takeOver(): Promise<void> {
    const { launch: _, ...rest } = request;
    request = rest;
    while (!leaving.signal.aborted) {
      await pause(AGAIN_MS, undefined, { signal: leaving.signal, ref: false }).catch(() => {});
      if (leaving.signal.aborted) return;
      const next = await take().catch(() => undefined); // a store that is busy is asked again
      if (next !== undefined && next.status !== 'held') return;
    }
  }
}
