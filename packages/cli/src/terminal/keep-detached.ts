import { setTimeout as pause } from 'node:timers/promises';
import type { TerminalStatus } from '@devs/supervisor';
import { driverOfTerminal } from './driver-of-terminal.js';
import { createNoticeBoard } from './notices/notice-board.js';
import { openTerminalStore } from './open-terminal-store.js';
import { keepSupervised } from './session/keep-supervised.js';
import { supervisionRequest } from './session/supervision-request.js';
import type { TerminalWorld } from './terminal-world.js';

const LOOK_MS = 500;
/** For whoever has it: he may be on his way out, or have been killed. */
const LONGEST_WAIT_MS = 20_000;

/**
 * Looks after a terminal that its user has left, until its agent ends or he is back. For a quarter of an hour he still counts as
 * there; after that the agent is unattended, and renewed when it is full.
 */
export async function keepDetached(world: TerminalWorld, name: string): Promise<void> {
  const entry = world.registry.get(name);
  const driver = entry === undefined ? undefined : await driverOfTerminal(world, entry);
  if (entry === undefined || driver === undefined) return;
  const store = await openTerminalStore(world, entry);
  if (store === undefined) return;
  const leaving = new AbortController();
  try {
    const { folder } = entry;
    const board = createNoticeBoard(world, (await world.choicesIn(folder)).settings, { name, folder }, () => undefined);
    const { outcome, kept } = await keepSupervised(
      world,
      {
        ...(await supervisionRequest(world, entry, { driver, store })),
        onNotice(notice) {
          board.take(notice);
          if (notice.kind === 'done' || notice.kind === 'lost') leaving.abort();
        },
      },
      // He was here a moment ago: before anything is decided about it.
      { onHandOver: () => leaving.abort(), onTaken: (terminal) => terminal.user({ typed: true }) },
    );
    const look = () => pause(LOOK_MS, undefined, { signal: leaving.signal }).catch(() => {});
    const deadline = performance.now() + LONGEST_WAIT_MS;
    const isForgotten = () => world.registry.get(name) === undefined; // its project was purged, say
    const isLeft = () => leaving.signal.aborted || isForgotten();
    const isWaiting = () => kept.terminal === undefined && performance.now() < deadline && !isLeft();
    while (outcome.status === 'held' && isWaiting()) await look();
    while (kept.terminal !== undefined && !isLeft() && !isGivenUp(kept.terminal.status())) await look();
    await kept.close();
  } finally {
    await store.close();
  }
}

/** It has ended, and only its user can have it go on: there is nothing to look after. */
const isGivenUp = (status: TerminalStatus | undefined): boolean =>
  status?.needs?.kind === 'escalation' && (status.state === undefined || status.state.activity === 'exited');
