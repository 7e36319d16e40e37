import type { EventLog } from '@devs/core';
import type { TerminalFacts } from '@devs/supervisor';
import type { TerminalWorld } from './terminal-world.js';

/** What the records say of a terminal, as far as its user needs it. */
export interface RecordedTerminal {
  readonly userArgs: readonly string[];
  /** Its arguments held a secret and were not stored whole. */
  readonly isHidden: boolean;
  readonly conversationId?: string;
  readonly escalation?: string;
  readonly parkedUntil?: number;
  readonly parkedWhy?: string;
  readonly exit?: { readonly kind: string; readonly exitCode?: number; readonly signal?: number; readonly at: number };
  readonly isStopped: boolean;
  /** An agent was started in it at least once. */
  readonly hasRun: boolean;
}

/** `undefined`: it was never opened. */
export async function readRecordedTerminal(
  { loadSupervisor }: Pick<TerminalWorld, 'loadSupervisor'>,
  log: Pick<EventLog, 'read' | 'append'>,
  name: string,
): Promise<RecordedTerminal | undefined> {
  const { readTerminalFacts } = await loadSupervisor();
  return recordedOf(await readTerminalFacts(log, name));
}

function recordedOf({ launch, agent, isStopped, ...facts }: TerminalFacts): RecordedTerminal | undefined {
  if (launch === undefined) return undefined;
  const { escalation, parkedUntil, parkedWhy } = facts;
  const { conversationId, exit, exitedAt } = agent ?? {};
  return {
    userArgs: launch.userArgs,
    isHidden: launch.hidden === true,
    isStopped,
    hasRun: agent !== undefined,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(escalation === undefined ? {} : { escalation }),
    ...(parkedUntil === undefined ? {} : { parkedUntil }),
    ...(parkedWhy === undefined ? {} : { parkedWhy }),
    ...(exit === undefined ? {} : { exit: { ...exit, at: exitedAt ?? 0 } }),
  };
}
