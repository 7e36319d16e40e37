import {
  contextRefreshState,
  markOf,
  pressureOf,
  type RenewalState,
  renewalDue,
  type TerminalPolicy,
  whyLeftToAgent,
} from '@devs/core';
import type { FollowedAgent } from './follow/follow-agent.js';
import { fullnessOf, historyOf } from './follow/signals-of.js';
import type { TerminalFacts } from './record/terminal-facts.js';
import type { TerminalStatus } from './supervised-terminal.js';
import type { Supervision } from './supervision.js';

export interface StatusSources {
  readonly supervision: Supervision;
  readonly renewal: RenewalState;
  readonly policy: Pick<TerminalPolicy, 'marks' | 'mostRenewals'>;
  readonly notes: readonly string[];
}

/** One terminal as viewers see it. */
export function statusOf({ supervision, renewal, policy, notes }: StatusSources): TerminalStatus {
  const { name, driver, agentProcess, record, task, source, clock, timing } = supervision;
  const { facts } = record;
  const { agent } = agentProcess;
  const usage = agent?.seen.usage;
  const permission = agent?.seen.state.activity === 'waiting' ? agent.seen.permissions[0] : undefined;
  const before = facts.before[0]?.conversationId;
  const resumeCommand = before === undefined ? undefined : source?.resumeCommand(before);
  const mark = markOf(usage, policy.marks);
  const leftToAgent = mark === 'low' ? undefined : whyLeft({ supervision, renewal, policy });
  const fullness = fullnessOf({ now: clock.now(), seen: agent?.seen, cacheMs: timing.cacheMs });
  const due = renewalDue(fullness, policy);
  const needs = whatIsNeeded(facts, agent, supervision.hasAllArguments);
  return {
    name,
    agent: driver.agent,
    ...(facts.agent === undefined ? {} : { agentId: facts.agent.agentId }),
    ...(facts.agent?.conversationId === undefined ? {} : { conversationId: facts.agent.conversationId }),
    folder: agentProcess.place.folder,
    ...(agent === undefined ? {} : { state: agent.seen.state }),
    ...(facts.agent?.exit?.exitCode === undefined ? {} : { exitCode: facts.agent.exit.exitCode }),
    isAttended: supervision.isAttended(),
    ...(usage === undefined ? {} : { usage }),
    pressure: usage === undefined ? 0 : pressureOf(usage),
    mark,
    ...(due === undefined ? {} : { renewalDue: due }),
    ...(leftToAgent === undefined ? {} : { leftToAgent }),
    renewal: renewal.phase,
    contextRefreshState: contextRefreshState(renewal),
    contextRefreshCount: renewal.completed,
    isReplacing: facts.restart !== undefined || isBetweenAgents(renewal),
    ...(facts.parkedUntil === undefined ? {} : { parkedUntil: facts.parkedUntil }),
    ...(needs === undefined ? {} : { needs }),
    ...(permission === undefined ? {} : { permission }),
    ...(task === undefined ? {} : { taskId: task.id }),
    ...(facts.checkpoint === undefined ? {} : { checkpoint: facts.checkpoint }),
    ...(resumeCommand === undefined ? {} : { resumeCommand }),
    notes,
  };
}

function whyLeft({ supervision, renewal, policy }: Omit<StatusSources, 'notes'>): string | undefined {
  const { facts } = supervision.record;
  if (facts.launch?.hidden === true && !supervision.hasAllArguments) return 'its arguments held a secret';
  return whyLeftToAgent(historyOf(facts, renewal, 'low'), policy);
}

/** From its first step until the new agent runs. */
function isBetweenAgents(renewal: RenewalState): boolean {
  const state = contextRefreshState(renewal);
  return state !== null && state !== 'confirming';
}

function whatIsNeeded(
  { escalation, launch }: TerminalFacts,
  agent: FollowedAgent | undefined,
  hasAllArguments: boolean,
): TerminalStatus['needs'] {
  if (escalation !== undefined) return { kind: 'escalation', detail: escalation };
  if (agent?.seen.state.activity === 'waiting') {
    const screen = lastLines(agent);
    return { kind: 'answer', detail: agent.seen.state.evidence.detail, ...(screen === '' ? {} : { screen }) };
  }
  if (launch?.hidden === true && !hasAllArguments && agent === undefined)
    return { kind: 'arguments', detail: 'its arguments held a secret, which is not stored: start it again by hand' };
  return undefined;
}

const MAX_LINES = 12;

function lastLines(agent: FollowedAgent): string {
  const view = agent.view();
  const lines = view === 'exited' ? [] : view.lines.map((line) => line.trimEnd());
  return lines
    .filter((line) => line !== '')
    .slice(-MAX_LINES)
    .join('\n');
}
