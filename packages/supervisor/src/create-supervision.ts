import type { AgentDriver, AgentEvent } from '@devs/core';
import { TRANSCRIPT_SOURCES } from '@devs/drivers';
import { type Attendance, createAttendance } from './attendance.js';
import { createHostLink, type HostLink } from './host/host-link.js';
import type { Lane } from './lane.js';
import { createSeat } from './launch/seat.js';
import type { TerminalNotice } from './notice.js';
import type { StoredLaunch } from './record/terminal-event.js';
import type { TerminalFacts } from './record/terminal-facts.js';
import type { TerminalRecord } from './record/terminal-record.js';
import type { SuperviseRequest } from './supervised-terminal.js';
import type { Supervision, SupervisionTiming } from './supervision.js';

export interface SupervisionParts {
  readonly request: SuperviseRequest;
  readonly timing: SupervisionTiming;
  readonly record: TerminalRecord;
  readonly lane: Pick<Lane, 'signal' | 'nudge'>;
  notify(notice: TerminalNotice): void;
  onEvent(agentId: string, event: AgentEvent): void;
}

export interface NewSupervision {
  readonly supervision: Supervision;
  readonly attendance: Attendance;
  readonly hosts: HostLink;
}

const SIZE = { columns: 120, rows: 40 };
const BUDGET = { tokens: 6_000 };

/** Puts together what those who act on a terminal need, from what was asked for and what is recorded. */
export function createSupervision({
  request,
  timing,
  record,
  lane,
  notify,
  onEvent,
}: SupervisionParts): NewSupervision {
  const { name, driver, store, clock, newId, place } = request;
  const known = record.facts.launch;
  const launch = request.launch ?? launchOf(known, request.knownArgs);
  const isUnattended = request.attended !== true;
  const attendance = createAttendance({
    driver,
    clock,
    attendedMs: timing.attendedMs,
    isAttached: !isUnattended,
    ownTexts: () => ownTexts(),
  });
  const ownTexts = () => ownTextsOf(record.facts, seat.agent?.typed ?? [], driver);
  const hosts = createHostLink({ openHost: request.openHost, onLost: lane.nudge });
  const command = place.command ?? known?.command;
  const seat = createSeat({
    name,
    driver,
    hosts,
    record,
    place: { ...place, ...(command === undefined ? {} : { command }) },
    launch: { ...launch, ...request.extras },
    privateFolder: request.privateFolder,
    size: request.size ?? SIZE,
    isUnattended,
    answersQueries: () => !attendance.isAttached,
    clock,
    holder: newId(),
    onEvent,
    onExitRecorded: lane.nudge,
  });
  const source = (request.sources ?? TRANSCRIPT_SOURCES).find(({ agent }) => agent === transcriptsOf(driver));
  const { typing, handoffStream, task } = request;
  const supervision: Supervision = {
    name,
    driver,
    seat,
    record,
    store,
    clock,
    newId,
    timing,
    patience: {
      clock,
      pollMs: timing.pollMs,
      get signal() {
        return lane.signal;
      },
    },
    ...(typing === undefined ? {} : { typing }),
    ...(source === undefined ? {} : { source }),
    ...(handoffStream === undefined ? {} : { handoffStream }),
    budget: request.budget ?? BUDGET,
    ...(task === undefined ? {} : { task }),
    ...(launch.systemPrompt === undefined ? {} : { basePrompt: launch.systemPrompt }),
    ...(request.launch?.firstPrompt === undefined ? {} : { userPrompt: request.launch.firstPrompt }),
    ...(request.resumesStopped?.prompt === undefined ? {} : { resumePrompt: request.resumesStopped.prompt }),
    leftWork: async () => request.leftWork?.(),
    hasAllArguments: (request.launch ?? request.knownArgs) !== undefined || known?.hidden !== true,
    checkpoints: request.checkpoints ?? 'private',
    ownWords: request.ownWords ?? 'when-needed',
    answers: request.answers ?? [],
    privateFolder: request.privateFolder,
    ownTexts,
    isAttended: () => attendance.isAttended(seat.agent),
    isAttached: () => attendance.isAttached,
    notify,
  };
  return { supervision, attendance, hosts };
}

/** Whose transcripts the agent's own look like. */
export const transcriptsOf = ({ transcripts, agent }: AgentDriver): string => transcripts ?? agent;

const launchOf = (known: StoredLaunch | undefined, knownArgs: readonly string[] | undefined) => ({
  userArgs: knownArgs ?? known?.userArgs ?? [],
  ...(known?.systemPrompt === undefined ? {} : { systemPrompt: known.systemPrompt }),
});

/** Also one behind the other: an agent that reads late gets a paste that was tried again twice, and the next one behind it. */
function ownTextsOf(facts: TerminalFacts, typed: readonly string[], { commands }: AgentDriver): readonly string[] {
  const prompts = [...new Set([...facts.typed, ...typed])];
  const pairs = prompts.flatMap((first) => prompts.map((second) => `${first}${second}`));
  return [...prompts, ...pairs, commands.compact, commands.clear].filter((text) => text !== undefined);
}
