import type { SupervisorStatus } from '@devs/supervisor';
import { visible } from '../screen/visible.js';

/** What a supervisor found when it was started: the one before it had died, or was of an older devs. Pure. */
export function describeContinued(
  { runs, terminals }: Pick<SupervisorStatus, 'runs' | 'terminals'>,
  replaced: string | undefined,
): string {
  const names = [...runs.map(({ id }) => `run ${id}`), ...terminals.map(({ name }) => `terminal ${name}`)];
  const why = replaced === undefined ? 'no supervisor was running.' : `ended the supervisor of devs ${replaced}.`;
  return visible(`devs: ${why} A new one continues ${names.join(', ')}.`);
}
