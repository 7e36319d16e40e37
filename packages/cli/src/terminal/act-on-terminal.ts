import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../cli-error.js';
import { askControl } from './control/ask-control.js';
import type { ControlRequest } from './control/control-message.js';
import { driverOfTerminal } from './driver-of-terminal.js';
import { openTerminalStore } from './open-terminal-store.js';
import { answerControl, createReplacements } from './session/answer-control.js';
import { supervisionRequest } from './session/supervision-request.js';
import type { TerminalWorld } from './terminal-world.js';

export type Acted =
  | { readonly status: 'done'; readonly result: unknown }
  /** Nothing runs under this name. */
  | { readonly status: 'not-running' }
  /** It runs, and devs has no records of it. */
  | { readonly status: 'unknown' };

/** Longer than the lease of a supervisor that was killed. */
const LONGEST_WAIT_MS = 25_000;
const AGAIN_MS = 500;

/** Has whoever supervises a terminal do something; supervises it for that moment where nobody does. */
export async function actOnTerminal(world: TerminalWorld, name: string, request: ControlRequest): Promise<Acted> {
  const entry = world.registry.get(name);
  const driver = entry === undefined ? undefined : await driverOfTerminal(world, entry);
  for (const deadline = performance.now() + LONGEST_WAIT_MS; ; await pause(AGAIN_MS)) {
    const answer = await askControl(world.places.controlSocket(name), request);
    if (answer?.status === 'failed') throw new CliError(answer.error);
    if (answer !== undefined) return answer;
    if (entry === undefined || driver === undefined) return { status: 'unknown' };
    const tried = await actMyself();
    if (tried !== 'held') return tried;
    if (performance.now() > deadline) {
      throw new CliError(`somebody else supervises "${name}" and does not answer. Try again in a moment.`);
    }
  }

  async function actMyself(): Promise<Acted | 'held'> {
    if (entry === undefined || driver === undefined) return { status: 'unknown' };
    const store = await openTerminalStore(world, entry);
    if (store === undefined) return { status: 'unknown' };
    try {
      const { superviseTerminal } = await world.loadSupervisor();
      const supervision = await supervisionRequest(world, entry, { driver, store });
      // Only what was asked for: what else may be due is not this command's.
      const outcome = await superviseTerminal({ ...supervision, policy: { ...supervision.policy, observeOnly: true } });
      if (outcome.status === 'held') return 'held';
      if (outcome.status === 'foreign') return { status: 'unknown' };
      if (outcome.status !== 'supervised') return { status: 'not-running' };
      const { terminal } = outcome;
      try {
        return {
          status: 'done',
          result: await answerControl(request, { terminal, replacements: createReplacements(), by: world.by }),
        };
      } finally {
        await terminal.close();
      }
    } finally {
      await store.close();
    }
  }
}
