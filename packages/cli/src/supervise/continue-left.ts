import { messageOf } from '@devs/core';
import type { Command } from 'commander';
import type { Services } from '../compose.js';
import { visible } from '../screen/visible.js';

/** Commands that show what runs, by their names. */
const LOOKS: ReadonlySet<string> = new Set(['devs', 'ls', 'status', 'answer', 'attach', 'logs']);

/**
 * Has what a lost supervisor left continued before a command shows it. An agent starts no supervisor, and a failure is no reason
 * to show nothing.
 */
export async function continueLeft(
  command: Command,
  { supervisor, terminals, complain }: Pick<Services, 'supervisor' | 'terminals' | 'complain'>,
): Promise<void> {
  if (!LOOKS.has(command.name())) return;
  const isOutside = async () => (await terminals.seat()).kind === 'outside';
  await supervisor.continueLeft(isOutside).catch((error: unknown) => {
    complain(`devs: ${visible(messageOf(error))}`);
  });
}
