import { writePrivateFiles } from '@devs/agents';
import type {
  AgentDriver,
  AgentEvent,
  AgentPlace,
  Clock,
  HookRequest,
  LaunchConversation,
  LaunchRequest,
  McpServer,
  TerminalActivity,
} from '@devs/core';
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
  /** Follows what the host has in this seat. */
  take(agentId: string, hosted: HostedTerminal): Promise<FollowedAgent>;
  /** Starts an agent under this id. One that was started under it before is taken as it is. */
  start(request: StartRequest): Promise<StartOutcome>;
  /** Whether the first prompt of such a start is on the command line. */
  carriesPrompt(request: StartRequest): Promise<boolean>;
  /** Whether the agent's CLI opens such a conversation under the id that it has. */
  canOpen(conversation: LaunchConversation): Promise<boolean>;
  /** Ends what runs here with everything that it started, records it, and leaves the seat empty. */
  clear(agentId: string, graceMs: number): Promise<EndReport>;
  /** The host is gone, and the agent with it. */
  lose(agentId: string): Promise<void>;
  close(): Promise<void>;
}

export interface StartRequest {
  readonly agentId: string;
  readonly conversation: LaunchConversation;
  readonly systemPrompt?: string;
  readonly firstPrompt?: string;
}

export type StartOutcome =
  /** `isPrompted`: the first prompt is on its command line. Else it has to be typed. */
  | { readonly kind: 'started'; readonly isPrompted: boolean; readonly notes: readonly string[] }
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
  onEvent(agentId: string, event: AgentEvent): void;
  onExitRecorded(): void;
}

/** What devs adds to every launch, made anew by whoever supervises. */
export interface LaunchExtras {
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  readonly hooks?: HookRequest;
  readonly windowTokens?: number;
}

export function createSeat(options: SeatOptions): Seat {
  const { name, driver, hosts, record, launch } = options;
  let agent: FollowedAgent | undefined;
  let { place } = options;
  let activity: TerminalActivity = 'starting';
  /** The one that is being ended: how it goes is no news. */
  let ending: string | undefined;

  const hear = (agentId: string, event: AgentEvent) => {
    if (event.type === 'terminal.exited') {
      if (agentId !== ending) void recordExit(agentId, event).catch(() => {}); // told again by whoever looks next
    } else activity = agent?.seen.state.activity ?? activity;
    options.onEvent(agentId, event);
  };
  const recordExit = async (agentId: string, { exitCode, signal }: Exited) => {
    const known = (await record.read()).agent;
    if (known?.agentId !== agentId || known.exit !== undefined) return;
    const kind = exitCode === LOST ? 'lost' : exitCode === 0 && (signal ?? 0) === 0 ? 'clean' : 'crashed';
    const how = { exitCode, ...(signal === undefined ? {} : { signal }), wasBusy: activity === 'busy' };
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
    const { facts } = record;
    const known = facts.agent?.agentId === agentId ? facts.agent.conversationId : undefined;
    agent = await hosts.use((host) =>
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
    return agent;
  };

  const requestFor = ({ conversation, systemPrompt, firstPrompt }: StartRequest): LaunchRequest => ({
    ...place,
    userArgs: launch.userArgs,
    conversation,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(firstPrompt === undefined ? {} : { firstPrompt }),
    ...(launch.mcpServers === undefined ? {} : { mcpServers: launch.mcpServers }),
    ...(launch.hooks === undefined ? {} : { hooks: launch.hooks }),
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
    find,
    take,
    async start(request) {
      const { agentId, firstPrompt } = request;
      const plan = await driver.launch(requestFor(request));
      const isPrompted = firstPrompt === undefined || carries(plan, firstPrompt);
      const there = await find();
      if (there === undefined) {
        await writePrivateFiles(plan.privateFiles);
        const { command: file, args, env } = plan;
        const outcome = await hosts.use((host) =>
          host.spawn({ terminalId: name, file, args: [...args], env, cwd: place.folder, ...options.size }),
        );
        if (outcome.kind === 'refused') return { kind: 'failed', error: outcome.message };
      }
      const hosted = there ?? (await find());
      if (hosted === undefined)
        return { kind: 'failed', error: 'the host of the terminal died when it had started it' };
      const { conversationId } = plan;
      await record.append({
        type: 'agent.spawned',
        agentId,
        ...(conversationId === undefined ? {} : { conversationId }),
      });
      await take(agentId, hosted, plan.args);
      return { kind: 'started', isPrompted, notes: plan.notes };
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
      ending = agentId;
      const there = await find();
      const report: EndReport =
        there === undefined ? GONE : await hosts.use((host) => host.end(name, { graceMs })).catch(goneOr);
      const known = record.facts.agent;
      const isOurs = known?.agentId === agentId;
      if (isOurs && known.exit === undefined)
        await record.append({ type: 'agent.exited', agentId, exit: { kind: 'ended' } });
      await leave();
      if (there !== undefined) await hosts.use((host) => host.forget(name)).catch(goneOr);
      // Last: from here on, what the host has in this seat is the next one.
      if (isOurs && !known.isCleared) {
        const alsoEnded = report.ended.filter(({ pid }) => pid !== there?.pid).map(({ command }) => command);
        await record.append({ type: 'agent.cleared', agentId, alsoEnded: alsoEnded.slice(0, MOST_LISTED) });
      }
      return report;
    },
    async lose(agentId) {
      const exit: AgentExitFacts = { kind: 'lost', wasBusy: agent?.seen.state.activity === 'busy' };
      if (record.facts.agent?.agentId === agentId && record.facts.agent.exit === undefined)
        await record.append({ type: 'agent.exited', agentId, exit });
      await leave();
    },
    close: leave,
  };
}

type Exited = Extract<AgentEvent, { type: 'terminal.exited' }>;

const MOST_LISTED = 50;

/** The host went away in between, and what it held with it: the next one has no such terminal. */
function goneOr(error: unknown): EndReport {
  if (error instanceof TerminalHostRefusedError && error.refusal === 'unknown-terminal') return GONE;
  throw error;
}

const GONE: EndReport = { manner: 'gone', ended: [], survivors: [] };

const carries = (
  {
    args,
    privateFiles,
  }: { readonly args: readonly string[]; readonly privateFiles: readonly { readonly text: string }[] },
  prompt: string,
): boolean => args.some((arg) => arg.includes(prompt)) || privateFiles.some(({ text }) => text.includes(prompt));
