import { openStore } from '@devs/core';
import type { OpenedTerminal, TerminalOrder } from '@devs/supervisor';
import { CliError } from '../cli-error.js';
import { driverOfTerminal } from '../terminal/driver-of-terminal.js';
import type { RegisteredTerminal } from '../terminal/names/terminal-registry.js';
import { createNoticeBoard } from '../terminal/notices/notice-board.js';
import { supervisionRequest } from '../terminal/session/supervision-request.js';
import type { TerminalSurroundings } from '../terminal/terminal-world.js';

/** What supervising one terminal needs, as its caller's own command would make it. */
export async function openTerminal(order: TerminalOrder, own: TerminalSurroundings): Promise<OpenedTerminal> {
  const { name, folder, store: location, subject } = order;
  const driver = await driverOfTerminal(own, order);
  if (driver === undefined) throw new CliError(`devs does not know how to start "${order.agent}".`);
  const isNew = subject.kind !== 'take-up';
  const backend = await own.records.open(location, isNew ? 'create' : 'existing');
  if (backend === undefined)
    throw new CliError(isNew ? 'the store could not be made. Name another one with --store.' : 'its records are gone');
  const { clock, newId, isGone } = own;
  const store = openStore({ backend, clock, newId, isGone });
  try {
    const entry = { name, agent: order.agent, folder, store: await keptStore(order, own), openedAt: clock.now() };
    if (isNew) own.registry.put(entry);
    const request = await supervisionRequest(own, entry, { driver, store });
    const board = createNoticeBoard(own, (await own.choicesIn(folder)).settings, { name, folder }, () => undefined);
    return { request, tell: board.take, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const keptStore = async (
  { store }: TerminalOrder,
  { records }: TerminalSurroundings,
): Promise<RegisteredTerminal['store']> =>
  store.kind === 'redis'
    ? { kind: 'redis' }
    : { kind: 'sqlite', file: store.kind === 'project' ? (await records.here()).file : store.file };
