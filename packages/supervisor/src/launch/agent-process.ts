import { rm } from 'node:fs/promises';
import {
  type AgentEvent,
  type LaunchConversation,
  type LaunchPlan,
  type LaunchRequest,
  type LaunchSite,
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
import type { SuperviseRequest } from '../supervised-terminal.js';
import type { LaunchExtras } from '../terminal-context.js';
import type { UserLaunch } from './stored-launch.js';

/** Where the agents of one terminal sit, one after the other. */
export interface AgentProcess {
  readonly agent: FollowedAgent | undefined;
  /** Where the next one starts: what the running one was started with, where that is known better. */
  place: LaunchSite;
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
   * Ends what runs here with everything that it started, records it, and leaves its place empty. Where the record says that another
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

/** The request of the terminal, with what is known of it: `place` and `launch` also from its records. */
interface AgentProcessContext extends Omit<SuperviseRequest, 'launch'> {
  readonly size: NonNullable<SuperviseRequest['size']>;
  readonly hosts: HostLink;
  readonly record: TerminalRecord;
  readonly launch: UserLaunch & LaunchExtras;
  readonly answersQueries: () => boolean;
  onEvent(agentId: string, event: AgentEvent): void;
  onExitRecorded(): void;
}

/** More dead hosts in a row are no accident. */
const MAX_HOSTS = 3;

export const createAgentProcess = (context: AgentProcessContext): AgentProcess => new HostedAgentProcess(context);

class HostedAgentProcess implements AgentProcess {
  agent: FollowedAgent | undefined;
  place: LaunchSite;
  untold: AgentProcess['untold'];
  /** Tells this supervisor from the next one on the same terminal; the host remembers who took it last. */
  private readonly holder: string;
  private activity: TerminalActivity = 'starting';
  /** The agent being ended: its exit is no news. */
  private ending: string | undefined;
  private written: LaunchPlan['privateFiles'] = [];

  constructor(private readonly context: AgentProcessContext) {
    this.holder = context.newId();
    this.place = context.place;
  }

  find(): Promise<HostedTerminal | undefined> {
    const { hosts, name } = this.context;
    return hosts.use(async (host) => (await host.list()).find(({ terminalId }) => terminalId === name));
  }

  async take(agentId: string, hosted: HostedTerminal, args = this.context.launch.userArgs): Promise<void> {
    const { name, hosts, record, launch, driver, clock, privateFolder, answersQueries } = this.context;
    await this.close();
    await hosts.use((host) => host.hold(name, this.holder)).catch(noneOrOld);
    const { facts } = record;
    const known = facts.agent?.agentId === agentId ? facts.agent.conversationId : undefined;
    const following = hosts.use((host) =>
      followAgent({
        host,
        hosted,
        agentId,
        driver,
        place: this.place,
        args,
        privateFolder,
        ...(known === undefined ? {} : { conversationId: known }),
        ...(launch.windowTokens === undefined ? {} : { windowTokens: launch.windowTokens }),
        answersQueries: answersQueries(),
        clock,
        onEvent: (event) => this.hear(agentId, event),
      }),
    );
    this.agent = await following.catch(noneOr);
    if (this.agent === undefined) await this.lose(agentId);
  }

  async start(request: StartRequest): Promise<StartOutcome> {
    const { agentId } = request;
    const plan = await this.plan(request);
    const text = leftUntold(plan, request);
    const hosted = await this.seated(plan);
    if (typeof hosted === 'string') return { kind: 'failed', error: hosted };
    const { conversationId } = plan;
    await this.context.record.append({
      type: 'agent.spawned',
      agentId,
      ...(conversationId === undefined ? {} : { conversationId }),
      ...(text === undefined ? {} : { untold: text }),
      ...(request.firstPrompt !== undefined && text === undefined ? { carries: true as const } : {}),
    });
    this.untold = text === undefined ? undefined : { agentId, text };
    await this.take(agentId, hosted, plan.args);
    return { kind: 'started', notes: plan.notes };
  }

  async carriesPrompt(request: StartRequest): Promise<boolean> {
    const plan = await this.plan(request);
    return request.firstPrompt === undefined || carries(plan, request.firstPrompt);
  }

  async canOpen(conversation: LaunchConversation): Promise<boolean> {
    const plan = await this.plan({ agentId: conversation.id, conversation });
    return plan.conversationId === conversation.id;
  }

  async clear(agentId: string | undefined, graceMs: number): Promise<EndReport> {
    const { name, hosts, record } = this.context;
    const sitting = record.facts.agent;
    if (sitting !== undefined && sitting.agentId !== agentId) return GONE;
    this.ending = agentId;
    const there = await this.find();
    const report: EndReport =
      there === undefined ? GONE : await hosts.use((host) => host.end(name, { graceMs })).catch(goneOr);
    await this.agent?.look().catch(() => {}); // what it wrote last is counted, too
    const known = record.facts.agent;
    if (known !== undefined) await this.recordEnd(known.agentId, { kind: 'ended' });
    await this.close();
    await removePrivateLinks(this.written);
    if (there !== undefined) await hosts.use((host) => host.forget(name)).catch(goneOr);
    // Last: from here on, what the host has in this place is the next process.
    if (known !== undefined && !known.isCleared) {
      const alsoEnded = report.ended.filter(({ pid }) => pid !== there?.pid).map(({ command }) => command);
      const listed = alsoEnded.slice(0, MAX_LISTED);
      await record.append({ type: 'agent.cleared', agentId: known.agentId, alsoEnded: listed });
    }
    return report;
  }

  async lose(agentId: string): Promise<void> {
    // Without a follower, its last activity is unknown.
    const wasBusy = this.agent === undefined ? {} : { wasBusy: this.agent.seen.state.activity === 'busy' };
    await this.recordEnd(agentId, { kind: 'lost', ...wasBusy });
    await this.close();
  }

  async abandon(graceMs: number): Promise<void> {
    const { name, hosts } = this.context;
    this.ending = this.agent?.agentId;
    if ((await this.find()) === undefined) return;
    const ended = hosts.use((host) => host.end(name, { graceMs, holder: this.holder }));
    const { survivors } = await ended.catch(goneOrTaken);
    if (survivors.length > 0)
      throw new Error(`still running: ${survivors.map(({ pid, command }) => `${command} (${pid})`).join(', ')}`);
  }

  async close(): Promise<void> {
    const left = this.agent;
    this.agent = undefined;
    await left?.close().catch(() => {}); // its host may be gone
  }

  private plan(request: StartRequest): Promise<LaunchPlan> {
    return this.context.driver.launch(launchRequestOf(this.context, this.place, request));
  }

  /** Why the host refused to. */
  /** What the host has, spawned where it has nothing; or why not. A host that dies takes what it had spawned with it. */
  private async seated(plan: LaunchPlan): Promise<HostedTerminal | string> {
    for (let hosts = 0; hosts < MAX_HOSTS; hosts++) {
      const there = await this.find();
      if (there !== undefined) return there;
      const refusal = await this.spawn(plan);
      if (refusal !== undefined) return refusal;
    }
    return (await this.find()) ?? `${MAX_HOSTS} hosts of the terminal died when they had started it`;
  }

  private async spawn(plan: LaunchPlan): Promise<string | undefined> {
    const { name, hosts, launch, size } = this.context;
    await writePrivateFiles([...plan.privateFiles, ...awaitedTools(plan, launch.toolsReport)]);
    this.written = plan.privateFiles;
    const { command: file, args, env } = plan;
    const request = { terminalId: name, file, args: [...args], env, cwd: this.place.folder, ...size };
    const outcome = await hosts.use((host) => host.spawn(request));
    if (outcome.kind !== 'refused') return undefined;
    await removeOnceFiles(plan); // no one will read them
    return outcome.message;
  }

  private hear(agentId: string, event: AgentEvent): void {
    if (event.type === 'terminal.exited') {
      if (agentId !== this.ending) void this.recordExit(agentId, event).catch(() => {}); // the next look reports it again
    } else this.activity = this.agent?.seen.state.activity ?? this.activity;
    this.context.onEvent(agentId, event);
  }

  private async recordExit(agentId: string, { exitCode, signal }: Exited): Promise<void> {
    await this.context.record.read();
    const kind = exitCode === LOST ? 'lost' : exitCode === 0 && (signal ?? 0) === 0 ? 'clean' : 'crashed';
    // A waiting agent is in the middle of a turn; whether an answer ended it is known if its end was seen.
    const wasBusy = this.activity === 'busy' || (kind === 'lost' && this.activity === 'waiting');
    const how = { exitCode, ...(signal === undefined ? {} : { signal }), wasBusy };
    if (await this.recordEnd(agentId, { kind, ...how })) this.context.onExitRecorded();
  }

  /** Once for each agent. Whether it was recorded now. */
  private async recordEnd(agentId: string, exit: AgentExitFacts): Promise<boolean> {
    const { record } = this.context;
    const { agent } = record.facts;
    if (agent?.agentId !== agentId || agent.exit !== undefined) return false;
    await record.append({ type: 'agent.exited', agentId, exit });
    return true;
  }
}

const launchRequestOf = (
  { launch, record, attended, privateFolder }: AgentProcessContext,
  place: LaunchSite,
  { conversation, systemPrompt, firstPrompt }: StartRequest,
): LaunchRequest => ({
  ...place,
  userArgs: launch.userArgs,
  conversation,
  ...(systemPrompt === undefined ? {} : { systemPrompt }),
  ...(firstPrompt === undefined ? {} : { firstPrompt }),
  ...(launch.mcpServers === undefined ? {} : { mcpServers: launch.mcpServers }),
  ...(launch.hooks === undefined ? {} : { hooks: launch.hooks }),
  ...(launch.trustsFolder === true ? { trustsFolder: true } : {}),
  ...(launch.transport === undefined ? {} : { transport: launch.transport }),
  ...(launch.permissions === undefined ? {} : { permissions: launch.permissions }),
  settings: record.facts.settings,
  unattended: attended !== true,
  privateFolder,
});

async function removeOnceFiles({ privateFiles }: LaunchPlan): Promise<void> {
  for (const { path, isOnce } of privateFiles) if (isOnce) await rm(path, { force: true });
}

type Exited = Extract<AgentEvent, { type: 'terminal.exited' }>;

const MAX_LISTED = 50;

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
  const isGiven = carries(plan, path) || Object.values(plan.env).some((value) => value.includes(path));
  return [{ path, text: isGiven ? writeToolsReport({ status: 'awaited' }) : '' }];
}

/** What it has to be told by typing. A conversation that is opened again knows its instructions. */
function leftUntold(plan: LaunchPlan, { conversation, systemPrompt, firstPrompt }: StartRequest): string | undefined {
  if (firstPrompt === undefined || carries(plan, firstPrompt)) return undefined;
  const isTold = conversation.kind === 'resume' || systemPrompt === undefined || carries(plan, systemPrompt);
  return isTold ? firstPrompt : `${systemPrompt}\n\n${firstPrompt}`;
}
