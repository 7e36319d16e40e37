import { setTimeout as pause } from 'node:timers/promises';
import { createNoticeBoard } from './notices/notice-board.js';
import { openTerminalStore } from './open-terminal-store.js';
import { keepSupervised } from './session/keep-supervised.js';
import { supervisionRequest } from './session/supervision-request.js';
import type { TerminalWorld } from './terminal-world.js';

const LOOK_MS = 500;

/**
 * Looks after a terminal that its user has left, until its agent ends or he is back. For a quarter of an hour he still counts as
 * there; after that the agent is unattended, and renewed when it is full.
 */
export async function keepDetached(world: TerminalWorld, name: string): Promise<void> {
  const entry = world.registry.get(name);
  const driver = entry === undefined ? undefined : await world.driverOf(entry.agent);
  if (entry === undefined || driver === undefined) return;
  const store = await openTerminalStore(world, entry);
  if (store === undefined) return;
  const leaving = new AbortController();
  try {
    const board = createNoticeBoard(world, name, () => undefined);
    const { outcome, kept } = await keepSupervised(
      world,
      {
        ...(await supervisionRequest(world, entry, { driver, store })),
        onNotice(notice) {
          board.take(notice);
          if (notice.kind === 'done' || notice.kind === 'lost') leaving.abort();
        },
      },
      { onHandOver: () => leaving.abort() },
    );
    if (outcome.status === 'supervised') outcome.terminal.user({ typed: true });
    while (outcome.status === 'supervised' && !leaving.signal.aborted) {
      await pause(LOOK_MS, undefined, { signal: leaving.signal }).catch(() => {});
    }
    await kept.close();
  } finally {
    await store.close();
  }
}
