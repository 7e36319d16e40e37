import { rm } from 'node:fs/promises';
import {
  type AgentDriver,
  type AgentEvent,
  type AgentPlace,
  type Clock,
  type HookRequest,
  type LaunchConversation,
  type LaunchPlan,
  type LaunchRequest,
  type McpServer,
  type PrivateFile,
  type TerminalActivity,
  writeToolsReport,
} from '@devs/core';
import { removePrivateLinks, writePrivateFiles } from '@devs/drivers';
import { type EndReport, type HostedTerminal, TerminalHostRefusedError } from '@devs/terminals';
import { type FollowedAgent, followAgent, LOST } from '../follow/follow-agent.js';
import type { HostLink } from '../host/host-link.js';
import type { AgentExitFacts } from '../record/terminal-event.js';
import type { TerminalRecord } from '../record/terminal-record.js';
import type { UserLaunch } from './stored-launch.js';

/** Where the agents of one terminal sit, one after the other. */
export interface Seat {
  readonly agent: FollowedAgent | undefined;
  /** Where the next one starts: what the running one was started with, where that is known better. */
  place: AgentPlace;
  find(): Promise<HostedTerminal | undefined>;
  /** Follows what the host has in this seat. One whose host has died meanwhile is recorded as lost. */
  take(agentId: string, hosted: HostedTerminal): Promise<void>;
  /** Starts an agent under this id. Adopts an agent already started under it. */
  start(request: StartRequest): Promise<StartOutcome>;
  /** Whether the first prompt of such a start is on the command line. */
  carriesPrompt(request: StartRequest): Promise<boolean>;
  /** Whether the agent's CLI opens such a conversation under the id that it has. */
  canOpen(conversation: LaunchConversation): Promise<boolean>;
  /**
   * Ends what runs here with everything that it started, records it, and leaves the seat empty. Where the record says that another
   * one sits here now, nothing is ended: that one is not the caller's.
   */
  clear(agentId: string | undefined, graceMs: number): Promise<EndReport>;
  /** What the agent was to be told at its start, as it was given: in the record a secret in it is replaced. */
  readonly untold: { readonly agentId: string; readonly text: string } | undefined;
  /** The host is gone, and the agent with it. */
  lose(agentId: string): Promise<void>;
  /**
   * Ends the agent here and records nothing: the caller may have no store, or no right to write any more. Leaves an
   * agent that another supervisor has taken meanwhile. Rejects if it cannot be ended.
   */
  abandon(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface StartRequest {
  readonly agentId: string;
  readonly conversation: LaunchConversation;
  readonly systemPrompt?: string;
  readonly firstPrompt?: string;
}

export type StartOutcome =
  | { readonly kind: 'started'; readonly notes: readonly string[] }
  | { readonly kind: 'failed'; readonly error: string };

export interface SeatOptions {
  readonly name: string;
  readonly driver: AgentDriver;
  readonly hosts: HostLink;
  readonly record: TerminalRecord;
  readonly place: AgentPlace;
  readonly launch: UserLaunch & LaunchExtras;
  readonly privateFolder: string;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly isUnattended: boolean;
  readonly answersQueries: () => boolean;
  readonly clock: Clock;
  /** Tells this supervisor from the next one on the same terminal; the host remembers who took it last. */
  readonly holder: string;
  onEvent(agentId: string, event: AgentEvent): void;
  onExitRecorded(): void;
}

/** Additions of devs to every launch, created again by each supervisor. */
export interface LaunchExtras {
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  /** The file in which one of the servers reports; its command line or environment names it. */
  readonly toolsReport?: string;
  readonly hooks?: HookRequest;
  readonly windowTokens?: number;
  /** The user told devs that they trust the folder. */
  readonly trustsFolder?: boolean;
}

export function createSeat(options: SeatOptions): Seat {
  const { name, driver, hosts, record, launch } = options;
  let agent: FollowedAgent | undefined;
  let { place } = options;
  let activity: TerminalActivity = 'starting';
  /** The agent being ended: its exit is no news. */
  let ending: string | undefined;
  let untold: Seat['untold'];
  let written: LaunchPlan['privateFiles'] = [];

  const hear = (agentId: string, event: AgentEvent) => {
    if (event.type === 'terminal.exited') {
      if (agentId !== ending) void recordExit(agentId, event).catch(() => {}); // the next look reports it again
    } else activity = agent?.seen.state.activity ?? activity;
    options.onEvent(agentId, event);
  };
  const recordExit = async (agentId: string, { exitCode, signal }: Exited) => {
    const known = (await record.read()).agent;
    if (known?.agentId !== agentId || known.exit !== undefined) return;
    const kind = exitCode === LOST ? 'lost' : exitCode === 0 && (signal ?? 0) === 0 ? 'clean' : 'crashed';
    // A waiting agent is in the middle of a turn; whether an answer ended it is known if its end was seen.
    const wasBusy = activity === 'busy' || (kind === 'lost' && activity === 'waiting');
    const how = { exitCode, ...(signal === undefined ? {} : { signal }), wasBusy };
    await record.append({ type: 'agent.exited', agentId, exit: { kind, ...how } });
    options.onExitRecorded();
  };

  const leave = async () => {
    const left = agent;
    agent = undefined;
    await left?.close().catch(() => {}); // its host may be gone
  };
  const find = () => hosts.use(async (host) => (await host.list()).find(({ terminalId }) => terminalId === name));

  const take = async (agentId: string, hosted: HostedTerminal, args = launch.userArgs) => {
    await leave();
    await hosts.use((host) => host.hold(name, options.holder)).catch(noneOrOld);
    const { facts } = record;
    const known = facts.agent?.agentId === agentId ? facts.agent.conversationId : undefined;
    const following = hosts.use((host) =>
      followAgent({
        host,
        hosted,
        agentId,
        driver,
        place,
        args,
        ...(known === undefined ? {} : { conversationId: known }),
        ...(launch.windowTokens === undefined ? {} : { windowTokens: launch.windowTokens }),
        answersQueries: options.answersQueries(),
        clock: options.clock,
        onEvent: (event) => hear(agentId, event),
      }),
    );
    agent = await following.catch(noneOr);
    if (agent === undefined) await lose(agentId);
  };
  const lose = async (agentId: string) => {
    // Without a follower, its last activity is unknown.
    const exit: AgentExitFacts =
      agent === undefined ? { kind: 'lost' } : { kind: 'lost', wasBusy: agent.seen.state.activity === 'busy' };
    if (record.facts.agent?.agentId === agentId && record.facts.agent.exit === undefined)
      await record.append({ type: 'agent.exited', agentId, exit });
    await leave();
  };

  const requestFor = ({ conversation, systemPrompt, firstPrompt }: StartRequest): LaunchRequest => ({
    ...place,
    userArgs: launch.userArgs,
    conversation,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(firstPrompt === undefined ? {} : { firstPrompt }),
    ...(launch.mcpServers === undefined ? {} : { mcpServers: launch.mcpServers }),
    ...(launch.hooks === undefined ? {} : { hooks: launch.hooks }),
    ...(launch.trustsFolder === true ? { trustsFolder: true } : {}),
    settings: record.facts.settings,
    unattended: options.isUnattended,
    privateFolder: options.privateFolder,
  });

  return {
    get agent() {
      return agent;
    },
    get place() {
      return place;
    },
    set place(next) {
      place = next;
    },
    get untold() {
      return untold;
    },
    find,
    take,
    async start(request) {
      const { agentId } = request;
      const plan = await driver.launch(requestFor(request));
      const text = leftUntold(plan, request);
      const there = await find();
      if (there === undefined) {
        await writePrivateFiles([...plan.privateFiles, ...awaitedTools(plan, launch.toolsReport)]);
        written = plan.privateFiles;
        const { command: file, args, env } = plan;
        const outcome = await hosts.use((host) =>
          host.spawn({ terminalId: name, file, args: [...args], env, cwd: place.folder, ...options.size }),
        );
        if (outcome.kind === 'refused') {
          await removeOnceFiles(plan); // no one will read them
          return { kind: 'failed', error: outcome.message };
        }
      }
      const hosted = there ?? (await find());
      if (hosted === undefined)
        return { kind: 'failed', error: 'the host of the terminal died when it had started it' };
      const { conversationId } = plan;
      await record.append({
        type: 'agent.spawned',
        agentId,
        ...(conversationId === undefined ? {} : { conversationId }),
        ...(text === undefined ? {} : { untold: text }),
        ...(request.firstPrompt !== undefined && text === undefined ? { carries: true as const } : {}),
      });
      untold = text === undefined ? undefined : { agentId, text };
      await take(agentId, hosted, plan.args);
      return { kind: 'started', notes: plan.notes };
    },
    async carriesPrompt(request) {
      const plan = await driver.launch(requestFor(request));
      return request.firstPrompt === undefined || carries(plan, request.firstPrompt);
    },
    async canOpen(conversation) {
      const plan = await driver.launch(requestFor({ agentId: conversation.id, conversation }));
      return plan.conversationId === conversation.id;
    },
    async clear(agentId, graceMs) {
      const sitting = record.facts.agent;
      if (sitting !== undefined && sitting.agentId !== agentId) return GONE;
      ending = agentId;
      const there = await find();
      const report: EndReport =
        there === undefined ? GONE : await hosts.use((host) => host.end(name, { graceMs })).catch(goneOr);
      await agent?.look().catch(() => {}); // what it wrote last is counted, too
      const known = record.facts.agent;
      if (known !== undefined && known.exit === undefined)
        await record.append({ type: 'agent.exited', agentId: known.agentId, exit: { kind: 'ended' } });
      await leave();
      await removePrivateLinks(written);
      if (there !== undefined) await hosts.use((host) => host.forget(name)).catch(goneOr);
      // Last: from here on, what the host has in this seat is the next one.
      if (known !== undefined && !known.isCleared) {
        const alsoEnded = report.ended.filter(({ pid }) => pid !== there?.pid).map(({ command }) => command);
        const listed = alsoEnded.slice(0, MOST_LISTED);
        await record.append({ type: 'agent.cleared', agentId: known.agentId, alsoEnded: listed });
      }
      return report;
    },
    lose,
    async abandon(graceMs) {
      ending = agent?.agentId;
      if ((await find()) === undefined) return;
      const { survivors } = await hosts
        .use((host) => host.end(name, { graceMs, holder: options.holder }))
        .catch(goneOrTaken);
      if (survivors.length > 0)
        throw new Error(`still running: ${survivors.map(({ pid, command }) => `${command} (${pid})`).join(', ')}`);
    },
    close: leave,
  };
}

async function removeOnceFiles({ privateFiles }: LaunchPlan): Promise<void> {
  for (const { path, isOnce } of privateFiles) if (isOnce) await rm(path, { force: true });
}

type Exited = Extract<AgentEvent, { type: 'terminal.exited' }>;

const MOST_LISTED = 50;

/** The host went away in between, and what it held with it: the next one has no such terminal. */
function noneOr(error: unknown): undefined {
  if (error instanceof TerminalHostRefusedError && error.refusal === 'unknown-terminal') return;
  throw error;
}

function goneOr(error: unknown): EndReport {
  noneOr(error);
  return GONE;
}

/** A host of an older devs knows no holders: it ends what it is asked to. */
function noneOrOld(error: unknown): undefined {
  if (error instanceof TerminalHostRefusedError && error.refusal === 'bad-request') return;
  return noneOr(error);
}

function goneOrTaken(error: unknown): EndReport {
  if (error instanceof TerminalHostRefusedError && error.refusal === 'held-by-another') return GONE;
  return goneOr(error);
}

const GONE: EndReport = { manner: 'gone', ended: [], survivors: [] };

const carries = ({ args, privateFiles }: LaunchPlan, prompt: string): boolean =>
  args.some((arg) => arg.includes(prompt)) || privateFiles.some(({ text }) => text.includes(prompt));

/** What the agent before it had says nothing about this one. An agent that is given no servers is not waited for. */
function awaitedTools(plan: LaunchPlan, path: string | undefined): readonly PrivateFile[] {
  if (path === undefined) return [];
  const isGiven = carries(plan, path) || Object.values(plan.env).includes(path);
  return [{ path, text: isGiven ? writeToolsReport({ status: 'awaited' }) : '' }];
}

/** What it has to be told by typing. A conversation that is opened again knows its instructions. */
function leftUntold(plan: LaunchPlan, { conversation, systemPrompt, firstPrompt }: StartRequest): string | undefined {
  if (firstPrompt === undefined || carries(plan, firstPrompt)) return undefined;
  const isTold = conversation.kind === 'resume' || systemPrompt === undefined || carries(plan, systemPrompt);
  return isTold ? firstPrompt : `${systemPrompt}\n\n${firstPrompt}`;
}
