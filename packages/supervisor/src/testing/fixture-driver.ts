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

function watch({ pid, env, onEvent, startedAt, conversationId }: WatchRequest): AgentWatch {
  const begun = Date.now();
  let closed = false;
  let known: Status | undefined;
  let position: ReadPosition | undefined;
  let parser = createClaudeCodeParser();
  let used = -1;
  let running: Promise<void> | undefined;
  const emit = (event: AgentEvent) => {
    if (!closed) onEvent(event);
  };

  const look = async () => {
    const home = String(env.FIXTURE_HOME);
    const status =
      readStatus(join(home, `status-${pid}.json`)) ?? known ?? left(home, { pid, conversation: conversationId });
    if (status === undefined || closed) return;
    if (status.conversation !== known?.conversation) {
      const before = known === undefined ? {} : { before: known.conversation };
      emit({
        type: 'conversation.changed',
        conversationId: status.conversation,
        ...before,
        at: Date.now(),
        isPast: false,
      });
      [position, parser, used, ended, size] = [undefined, createClaudeCodeParser(), -1, 0, 0];
    }
    tellLimit(status.limitUntil);
    const changed = status.says !== known?.says;
    known = status;
    await readOn(status);
    if (changed)
      emit({ type: 'signal.seen', source: 'status-file', says: status.says, detail: status.says, at: Date.now() });
  };

  let limit: number | undefined;
  const tellLimit = (until: number | undefined) => {
    const when = { at: Date.now(), isPast: false };
    if (until !== undefined && until !== limit)
      emit({ type: 'limit.reached', limit: { kind: 'usage-limit', until }, detail: 'Usage limit reached', ...when });
    if (until === undefined && limit !== undefined) emit({ type: 'limit.passed', ...when });
    limit = until;
  };

  const readOn = async ({ path, conversation: conversationId }: Status) => {
    const grown = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (grown === size) return; // it is looked at fifty times a second
    const found: ConversationEvent[] = [];
    const turns = readTurnEnds(path);
    const result = await readTranscript({
      path,
      parser,
      ...(position === undefined ? {} : { from: position }),
      onEvents: (events) => found.push(...events),
    }).catch(() => undefined);
    if (result === undefined || closed) return;
    position = result.next;
    size = grown;
    if (found.length > 0) {
      const at = Date.parse(found.at(-1)?.from.at ?? '') || Date.now();
      emit({
        type: 'conversation.grew',
        conversationId,
        path,
        events: found,
        at,
        isPast: at < Math.min(begun, startedAt),
      });
    }
    for (const event of found) tell(event, conversationId);
    for (const { at, ...error } of turns.slice(ended))
      emit({ type: 'turn.ended', conversationId, at, isPast: at < begun, ...error });
    ended = turns.length;
  };
  let ended = 0;
  let size = 0;

  const tell = (event: ConversationEvent, conversationId: string) => {
    const at = Date.parse(event.from.at ?? '') || Date.now();
    const when = { at, isPast: at < begun };
    const measured = (usedTokens: number) => {
      if (usedTokens !== used)
        emit({
          type: 'usage.measured',
          conversationId,
          usage: { usedTokens, windowTokens: WINDOW_TOKENS },
          window: 'recorded',
          ...when,
        });
      used = usedTokens;
    };
    if (event.type === 'usage.reported') measured(event.inputTokens);
    if (event.type === 'input.noted' && event.kind === 'interruption') emit({ type: 'turn.interrupted', ...when });
    if (event.type === 'context.compacted') {
      emit({ type: 'compaction.seen', conversationId, trigger: event.trigger, ...when });
      measured(2_000);
    }
  };

  const run = () => {
    running ??= look().finally(() => {
      running = undefined;
    });
    return running;
  };
  const timer = setInterval(() => void run(), EVERY_MS).unref();
  return {
    seeScreen({ title }) {
      if (title === '') return;
      const says = title.startsWith('⠙') ? 'busy' : 'not-busy';
      emit({ type: 'signal.seen', source: 'title', says, detail: title, at: Date.now() });
    },
    seeHook() {},
    async look() {
      await running;
      await run();
    },
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}

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
