import { messageOf } from '@devs/core';
import type { SupervisorStatus } from '@devs/supervisor';
import type { Command } from 'commander';
import { visible } from '../screen/visible.js';
import type { SuperviseServices } from './supervise-services.js';

/** Commands that show what runs, by their names. */
const LOOKS: ReadonlySet<string> = new Set(['devs', 'ls', 'status', 'answer', 'attach', 'logs']);

/**
 * Has what a lost supervisor left continued before a command shows it. An agent starts no supervisor, and a failure is no reason
 * to show nothing.
 */
export async function continueLeft(
  command: Command,
  { supervisor, terminals, warn }: Pick<SuperviseServices, 'supervisor' | 'terminals' | 'warn'>,
): Promise<void> {
  if (!LOOKS.has(command.name())) return;
  const isOutside = async () => (await terminals.seat()).kind === 'outside';
  await supervisor.continueLeft(isOutside).catch((error: unknown) => {
    warn(`devs: ${visible(messageOf(error))}`);
  });
}

/** What a supervisor found when it was started: the one before it had died, or was of an older devs. Pure. */
export function describeContinued(
  { runs, terminals }: Pick<SupervisorStatus, 'runs' | 'terminals'>,
  replaced: string | undefined,
): string {
  const names = [...runs.map(({ id }) => `run ${id}`), ...terminals.map(({ name }) => `terminal ${name}`)];
  const why = replaced === undefined ? 'no supervisor was running.' : `ended the supervisor of devs ${replaced}.`;
  return visible(`devs: ${why} A new one continues ${names.join(', ')}.`);
}
