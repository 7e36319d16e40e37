import type { SupervisorStatus } from '@devs/supervisor';
import { visible } from '../screen/visible.js';

/** What a supervisor found when it was started: the one before it, and the host of its agents, had died. Pure. */
export function describeContinued({ runs, terminals }: Pick<SupervisorStatus, 'runs' | 'terminals'>): string {
  const names = [...runs.map(({ id }) => `run ${id}`), ...terminals.map(({ name }) => `terminal ${name}`)];
  return `devs: no supervisor was running. A new one continues ${visible(names.join(', '))}.`;
}
