import { openTerminalStore, readRecordedTerminal } from '../recorded-terminal.js';
import type { SupervisedWorld } from '../terminal-world.js';
import { listHosted } from './known-names.js';
import { chooseTerminalName } from './terminal-name.js';
import type { RegisteredTerminal } from './terminal-registry.js';

/** A name after the folder. A terminal that runs, or crashed and may be resumed, keeps its name. */
export async function chooseFreeName(
  world: SupervisedWorld,
  refused: ReadonlySet<string> = new Set(),
): Promise<string> {
  const running = await listHosted(world);
  const taken = new Set([
    ...refused,
    ...running.filter(({ exit }) => exit === undefined).map(({ terminalId }) => terminalId),
  ]);
  for (;;) {
    const name = chooseTerminalName(world.folder, (candidate) => taken.has(candidate));
    const entry = world.registry.get(name);
    if (entry === undefined || (entry.folder === world.folder && (await isOver(world, entry)))) return name;
    taken.add(name);
  }
}

async function isOver(world: SupervisedWorld, entry: RegisteredTerminal): Promise<boolean> {
  const store = await openTerminalStore(world, entry).catch(() => undefined);
  if (store === undefined) return false;
  try {
    const recorded = await readRecordedTerminal(world, store.log, entry.name);
    return recorded === undefined || recorded.isStopped || ['clean', 'ended'].includes(recorded.exit?.kind ?? '');
  } finally {
    await store.close();
  }
}
