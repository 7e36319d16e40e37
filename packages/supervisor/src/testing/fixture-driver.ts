import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  AgentDriver,
  AgentEvent,
  AgentWatch,
  ConversationEvent,
  LaunchPlan,
  LaunchRequest,
  SignalMeaning,
  TranscriptParser,
  WatchRequest,
} from '@devs/core';
import {
  createClaudeCodeParser,
  type ReadPosition,
  readTranscript,
  TRANSCRIPT_SOURCES,
  type TranscriptSource,
} from '@devs/drivers';

const AGENT = fileURLToPath(new URL('../../fixtures/agent.mjs', import.meta.url));
const WINDOW_TOKENS = 100_000;
const EVERY_MS = 20;

/** How the fixture agent is started, typed into and watched: as a driver of a real one does it, by what it writes down itself. */
export const fixtureDriver: AgentDriver = {
  agent: 'fixture',
  inspect: async () => ({ kind: 'installed', command: AGENT, version: '1', tried: true }),
  launch: async (request) => launch(request),
  input: { prompt: /^> /, pasted: /^\[Pasted text \+\d+ lines\]/, dialog: /^❯ 1\. / },
  refusal: /^'\/\w+' is disabled while a task is in progress/,
  commands: { compact: '/compact', clear: '/clear', exit: '/exit' },
  interruptKeys: '\u001b',
  watch,
};

/** Its transcripts look like Claude Code's. */
export const fixtureSource = (): TranscriptSource => {
  const [claude] = TRANSCRIPT_SOURCES.filter(({ agent }) => agent === 'claude');
  if (claude === undefined) throw new Error('no source for transcripts of claude');
  return { ...claude, agent: 'fixture', resumeCommand: (id) => `fixture --resume ${id}` };
};

function launch({
  conversation,
  userArgs,
  systemPrompt,
  firstPrompt,
  settings,
  env,
  mcpServers,
  privateFolder,
}: LaunchRequest): LaunchPlan {
  const { kind, id } = conversation;
  const path = join(privateFolder, 'system.md');
  return {
    command: process.execPath,
    args: [
      AGENT,
      ...(kind === 'resume' ? ['--resume', id] : ['--conversation', id]),
      ...(settings?.model === undefined ? [] : ['--model', settings.model]),
      ...(systemPrompt === undefined ? [] : ['--system', path]),
      ...userArgs,
      ...(firstPrompt === undefined ? [] : ['--', firstPrompt]),
    ],
    env: {
      ...(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<string, string>),
      ...mcpServers?.devs?.env, // it has no tools, and does to the run what they would do
    },
    conversationId: id,
    privateFiles: systemPrompt === undefined ? [] : [{ path, text: systemPrompt }],
    manner: 'conversation',
    notes: [],
  };
}

interface Status {
  readonly conversation: string;
  readonly says: SignalMeaning;
  readonly path: string;
  readonly limitUntil?: number;
}

/** What an agent leaves behind that ended before its status was read: its transcript, under the name that it was started with. */
function left(
  home: string,
  agent: { readonly pid: number; readonly conversation: string | undefined },
): Status | undefined {
  const { pid, conversation } = agent;
  const path = join(home, `${conversation}.jsonl`);
  if (conversation === undefined || !existsSync(path) || existsSync(`/proc/${pid}`)) return undefined;
  return { conversation, says: 'unknown', path };
}

function watch(request: WatchRequest): AgentWatch {
  const watched = new FixtureWatch(request);
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= watched.look().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timer = setInterval(() => void run(), EVERY_MS).unref();
  return {
    seeScreen: ({ title }) => watched.seeTitle(title),
    seeHook() {},
    async look() {
      await running;
      await run();
    },
    close() {
      watched.close();
      clearInterval(timer);
    },
  };
}

class FixtureWatch {
  readonly #begun = Date.now();
  readonly #request: WatchRequest;
  #isClosed = false;
  #known: Status | undefined;
  #limit: number | undefined;
  #reading = nothingRead();

  constructor(request: WatchRequest) {
    this.#request = request;
  }

  async look(): Promise<void> {
    const { env, pid, conversationId } = this.#request;
    const home = String(env.FIXTURE_HOME);
    const known = this.#known;
    const status =
      readStatus(join(home, `status-${pid}.json`)) ?? known ?? left(home, { pid, conversation: conversationId });
    if (status === undefined || this.#isClosed) return;
    const { conversation, says } = status;
    if (conversation !== known?.conversation) {
      const before = known === undefined ? {} : { before: known.conversation };
      this.#emit({
        type: 'conversation.changed',
        conversationId: conversation,
        ...before,
        at: Date.now(),
        isPast: false,
      });
      this.#reading = nothingRead();
    }
    this.#tellLimit(status.limitUntil);
    this.#known = status;
    await this.#readOn(status);
    if (says !== known?.says)
      this.#emit({ type: 'signal.seen', source: 'status-file', says, detail: says, at: Date.now() });
  }

  seeTitle(title: string): void {
    if (title === '') return;
    const says = title.startsWith('⠙') ? 'busy' : 'not-busy';
    this.#emit({ type: 'signal.seen', source: 'title', says, detail: title, at: Date.now() });
  }

  close(): void {
    this.#isClosed = true;
  }

  #emit(event: AgentEvent): void {
    if (!this.#isClosed) this.#request.onEvent(event);
  }

  #tellLimit(until: number | undefined): void {
    const when = { at: Date.now(), isPast: false };
    if (until !== undefined && until !== this.#limit) {
      const limit = { kind: 'usage-limit', until } as const;
      this.#emit({ type: 'limit.reached', limit, detail: 'Usage limit reached', ...when });
    }
    if (until === undefined && this.#limit !== undefined) this.#emit({ type: 'limit.passed', ...when });
    this.#limit = until;
  }

  async #readOn({ path, conversation: conversationId }: Status): Promise<void> {
    const reading = this.#reading;
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === reading.size) return; // it is looked at fifty times a second
    const events: ConversationEvent[] = [];
    const turns = readTurnEnds(path);
    const { position, parser } = reading;
    const from = position === undefined ? {} : { from: position };
    const onEvents = (found: readonly ConversationEvent[]) => void events.push(...found);
    const result = await readTranscript({ path, parser, ...from, onEvents }).catch(() => undefined);
    if (result === undefined || this.#isClosed) return;
    reading.position = result.next;
    reading.size = size;
    if (events.length > 0) {
      const at = Date.parse(events.at(-1)?.from.at ?? '') || Date.now();
      const isPast = at < Math.min(this.#begun, this.#request.startedAt);
      this.#emit({ type: 'conversation.grew', conversationId, path, events, at, isPast });
    }
    for (const event of events) this.#tell(event, conversationId);
    for (const { at, ...error } of turns.slice(reading.turnsEnded))
      this.#emit({ type: 'turn.ended', conversationId, at, isPast: at < this.#begun, ...error });
    reading.turnsEnded = turns.length;
  }

  #tell(event: ConversationEvent, conversationId: string): void {
    const at = Date.parse(event.from.at ?? '') || Date.now();
    const when = { at, isPast: at < this.#begun };
    const measured = (usedTokens: number) => {
      if (usedTokens === this.#reading.usedTokens) return;
      const usage = { usedTokens, windowTokens: WINDOW_TOKENS };
      this.#emit({ type: 'usage.measured', conversationId, usage, window: 'recorded', ...when });
      this.#reading.usedTokens = usedTokens;
    };
    if (event.type === 'usage.reported') measured(event.inputTokens);
    if (event.type === 'input.noted' && event.kind === 'interruption')
      this.#emit({ type: 'turn.interrupted', ...when });
    if (event.type === 'context.compacted') {
      this.#emit({ type: 'compaction.seen', conversationId, trigger: event.trigger, ...when });
      measured(2_000);
    }
  }
}

interface Reading {
  readonly parser: TranscriptParser;
  position?: ReadPosition;
  size: number;
  turnsEnded: number;
  usedTokens?: number;
}

/** How far a conversation was read. */
const nothingRead = (): Reading => ({ parser: createClaudeCodeParser(), size: 0, turnsEnded: 0 });

const readStatus = (path: string): Status | undefined => {
  const text = readOrEmpty(path);
  return text === '' ? undefined : (JSON.parse(text) as Status);
};

/** When each turn ended, and with which error. */
const readTurnEnds = (path: string): readonly { readonly at: number; readonly error?: string }[] =>
  readOrEmpty(path)
    .split('\n')
    .slice(0, -1) // a line that is still being written counts at the next look
    .flatMap((line) => {
      if (!line.includes('"turn_duration"')) return [];
      const { timestamp, error } = JSON.parse(line) as { timestamp: string; error?: string };
      return [{ at: Date.parse(timestamp), ...(error === undefined ? {} : { error }) }];
    });

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
