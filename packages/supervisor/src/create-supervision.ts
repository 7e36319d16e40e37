import type { AgentDriver, AgentEvent } from '@devs/core';
import { TRANSCRIPT_SOURCES } from '@devs/drivers';
import { type Attendance, createAttendance } from './attendance.js';
import { createHostLink, type HostLink } from './host/host-link.js';
import type { Lane } from './lane.js';
import { createAgentProcess } from './launch/agent-process.js';
import type { UserLaunch } from './launch/stored-launch.js';
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
  readonly lane: Pick<Lane, 'signal' | 'wake'>;
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
  const { driver, clock, place } = request;
  const known = record.facts.launch;
  const launch = request.launch ?? launchOf(known, request.knownArgs);
  const attendance = createAttendance({
    driver,
    clock,
    attendedMs: timing.attendedMs,
    isAttached: request.attended === true,
    ownTexts: () => ownTexts(),
  });
  const ownTexts = () => ownTextsOf(record.facts, agentProcess.agent?.typed ?? [], driver);
  const hosts = createHostLink({ openHost: request.openHost, onLost: lane.wake });
  const command = place.command ?? known?.command;
  const agentProcess = createAgentProcess({
    ...request,
    hosts,
    record,
    place: { ...place, ...(command === undefined ? {} : { command }) },
    launch: { ...launch, ...request.extras },
    size: request.size ?? SIZE,
    answersQueries: () => !attendance.isAttached,
    onEvent,
    onExitRecorded: lane.wake,
  });
  const source = (request.sources ?? TRANSCRIPT_SOURCES).find(({ agent }) => agent === transcriptsOf(driver));
  const supervision: Supervision = {
    ...request,
    agentProcess,
    record,
    timing,
    patience: {
      clock,
      pollMs: timing.pollMs,
      get signal() {
        return lane.signal;
      },
    },
    ...(source === undefined ? {} : { source }),
    budget: request.budget ?? BUDGET,
    ...promptsOf(request, launch),
    leftWork: async () => request.leftWork?.(),
    hasAllArguments: (request.launch ?? request.knownArgs) !== undefined || known?.hidden !== true,
    checkpoints: request.checkpoints ?? 'private',
    ownWords: request.ownWords ?? 'when-needed',
    answers: request.answers ?? [],
    ownTexts,
    isAttended: () => attendance.isAttended(agentProcess.agent),
    isAttached: () => attendance.isAttached,
    notify,
  };
  return { supervision, attendance, hosts };
}

const promptsOf = (
  { launch, resumesStopped }: SuperviseRequest,
  { systemPrompt }: UserLaunch,
): Pick<Supervision, 'basePrompt' | 'userPrompt' | 'resumePrompt'> => ({
  ...(systemPrompt === undefined ? {} : { basePrompt: systemPrompt }),
  ...(launch?.firstPrompt === undefined ? {} : { userPrompt: launch.firstPrompt }),
  ...(resumesStopped?.prompt === undefined ? {} : { resumePrompt: resumesStopped.prompt }),
});

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
