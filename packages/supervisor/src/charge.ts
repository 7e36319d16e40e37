import { type AgentEvent, DEFAULT_POLICY, type TerminalPolicy } from '@devs/core';
import type { Attendance } from './attendance.js';
import { createSupervision } from './create-supervision.js';
import type { HostLink } from './host/host-link.js';
import { createLane, type Lane } from './lane.js';
import type { TerminalNotice } from './notice.js';
import { factOfNotice } from './record/fact-of-notice.js';
import { factOfPrompt, isWish } from './record/fact-of-prompt.js';
import { factOfEvent, usageOfTurn } from './record/facts-of-event.js';
import type { TerminalFacts } from './record/terminal-facts.js';
import { openTerminalRecord, type TerminalRecord } from './record/terminal-record.js';
import type { KeptLeases } from './renew-leases.js';
import { createRenewalRecord, type RenewalRecord } from './renewal/renewal-record.js';
import type { SuperviseRequest } from './supervised-terminal.js';
import type { Supervision, SupervisionTiming } from './supervision.js';
import { createTerminalController, type TerminalController } from './terminal-controller.js';

/** A terminal in the charge of this supervisor. Nothing is decided about it before its leases are kept. */
export interface Charge {
  readonly request: SuperviseRequest;
  readonly supervision: Supervision;
  readonly attendance: Attendance;
  readonly hosts: HostLink;
  readonly renewals: RenewalRecord;
  readonly policy: TerminalPolicy;
  readonly controller: TerminalController;
  readonly lane: Lane;
  onError(error: unknown): void;
  leases?: KeptLeases;
}

export async function openCharge(request: SuperviseRequest, timing: SupervisionTiming): Promise<Charge> {
  const { name, store, summaries, isConversationOver } = request;
  const policy = { ...DEFAULT_POLICY, ...request.policy };
  const record = openTerminalRecord(store.log, name);
  const renewals = createRenewalRecord(store.log, name);
  await Promise.all([record.read(), renewals.read()]);
  const notify = notifierFor(request, record);
  const onError = onceEach((detail) => notify({ kind: 'trouble', detail }));
  const lane = createLane({
    step: async () => (await charge.leases?.isOurs()) === true && charge.controller.step(),
    onError,
  });
  const onEvent = (agentId: string, event: AgentEvent) => hear(charge, agentId, event);
  const { supervision, attendance, hosts } = createSupervision({ request, timing, record, lane, notify, onEvent });
  const hasWorkLeft = () => hasWorkLeftBy(request);
  const controller = createTerminalController({
    supervision,
    renewals,
    policy,
    summaries,
    hasWorkLeft,
    isConversationOver,
  });
  const charge: Charge = {
    request,
    supervision,
    attendance,
    hosts,
    renewals,
    policy,
    controller,
    lane,
    onError,
  };
  return charge;
}

export const hasWorkLeftBy = ({ hasWorkLeft }: SuperviseRequest): boolean => hasWorkLeft?.() ?? false;

/** Something has changed: viewers are told, and the policy is asked soon. */
export function consider({ request, lane }: Charge): void {
  request.onChange?.();
  lane.wake();
}

export function noteProgress({ renewals, onError }: Charge): void {
  if (renewals.state.inARow > 0) void renewals.append({ type: 'progress.made' }).catch(onError);
}

function hear(charge: Charge, agentId: string, event: AgentEvent): void {
  const { lane, renewals, supervision, request } = charge;
  if (lane.isClosed) return;
  const { agentProcess, record } = supervision;
  const isAttended = supervision.isAttended();
  const { usage, costUsd } = agentProcess.agent?.seen ?? {};
  const factsIn = [
    (facts: TerminalFacts) => factOfEvent(facts, event, { agentId, isWorkAwaited: !renewals.state.hasWorked }),
    (facts: TerminalFacts) => usageOfTurn(facts, event, { agentId, usage, costUsd }),
    (facts: TerminalFacts) => factOfPrompt(facts, event, { agentId, isAttended }),
  ];
  for (const factIn of factsIn) if (factIn(record.facts) !== undefined) void record.note(factIn).catch(charge.onError);
  if (event.type === 'channel.failed') charge.onError(event.detail);
  if (isAttended && isWish(event)) noteProgress(charge);
  request.onAgentEvent?.(event, agentId);
  consider(charge);
}

const notifierFor = (request: SuperviseRequest, record: TerminalRecord) => (notice: TerminalNotice) => {
  const fact = factOfNotice(notice);
  if (fact !== undefined) void record.append(fact).catch(() => {}); // the store itself may be the trouble
  request.onNotice?.(notice);
  request.onChange?.();
};

/** The same trouble at every look is told once. */
function onceEach(tell: (text: string) => void): (error: unknown) => void {
  let last = '';
  return (error) => {
    const text = String(error);
    if (text !== last) tell(text);
    last = text;
  };
}
