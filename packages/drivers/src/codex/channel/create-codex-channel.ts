import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AgentChannel,
  type AgentEvent,
  type ChannelRequest,
  type Clock,
  type HandOver,
  type JsonObject,
  messageOf,
  type SignalMeaning,
} from '@devs/core';
import { numberIn, objectIn, textIn } from '../../reading/json.js';
import {
  type ChannelLaunch,
  type ChannelThread,
  channelFiles,
  readChannelLaunch,
  readChannelState,
  readChannelThread,
  writeChannelFile,
} from './channel-files.js';
import { type AppServer, AppServerRefusal, connectAppServer } from './connect-app-server.js';
import { codexErrorKind } from './error-kind.js';
import { createOpenApprovals } from './open-approvals.js';

type Request = ChannelRequest & Required<Pick<ChannelRequest, 'privateFolder' | 'onEvent'>>;

const AGAIN_MS = 100;

/**
 * The channel to a Codex whose app server a program of devs holds. It opens the conversation, and is connected again where another
 * supervisor was before: what is open then is asked again by the server.
 */
export function createCodexChannel(request: Request, { clock }: { readonly clock: Clock }): AgentChannel {
  const closing = new AbortController();
  let link: Link | undefined;
  let isTyped = false;
  const missed = (error: unknown): undefined => {
    const detail = `Codex: ${messageOf(error)}`;
    if (!closing.signal.aborted) request.onEvent({ type: 'signal.missed', detail, at: clock.now(), isPast: false });
  };
  void (async () => {
    while (!closing.signal.aborted) {
      const state = await readChannelState(request.privateFolder, request.pid);
      if (state?.kind === 'typed') {
        isTyped = true;
        const detail = `Codex's app server cannot be used (${state.why}), so devs types into its screen.`;
        return request.onEvent({ type: 'channel.failed', detail, at: clock.now(), isPast: false });
      }
      if (state?.kind === 'channel') {
        link = await openLink(request, { clock, socket: state.socket, signal: closing.signal }).catch(missed);
        await link?.gone;
        link = undefined;
      }
      await pause(AGAIN_MS, undefined, { signal: closing.signal });
    }
  })().catch(() => {}); // let go
  /** What is refused now may be taken a moment later. */
  const hand = async (work: (open: Link) => Promise<HandOver>): Promise<HandOver> => {
    if (link === undefined) return 'full';
    return work(link).catch((error: unknown) => {
      missed(error);
      return 'full' as const;
    });
  };
  return {
    prompt: (text, id) => hand((open) => open.prompt(text, id)),
    interrupt: () => hand((open) => open.interrupt()),
    compact: () => hand((open) => open.compact()),
    clear: () => hand((open) => open.clear()),
    usage: async () => 'unsupported', // it is told with every call
    answer: (requestId, choice, words) => hand((open) => open.answer(requestId, choice, words)),
    isUsed: () => !isTyped,
    close() {
      closing.abort();
      link?.close();
    },
  };
}

interface Link extends Omit<AgentChannel, 'usage' | 'isUsed' | 'close'> {
  readonly gone: Promise<void>;
  close(): void;
}

interface LinkDeps {
  readonly clock: Clock;
  readonly socket: string;
  readonly signal: AbortSignal;
}

/** One connection, with one conversation at a time. */
async function openLink(request: Request, { clock, socket, signal }: LinkDeps): Promise<Link> {
  const { privateFolder, pid, folder, onEvent } = request;
  const launch = await readChannelLaunch(privateFolder);
  if (launch === undefined) throw new Error('nothing says how it was started');
  const instructions = await readFile(channelFiles(privateFolder).instructions, 'utf8').catch(() => undefined);
  const conversation: Conversation = { hasTurn: false, items: new Map() };
  let settleGone = () => {};
  const gone = new Promise<void>((resolve) => {
    settleGone = resolve;
  });
  const emit = (event: Untimed) => {
    if (!signal.aborted) onEvent({ ...event, at: clock.now(), isPast: false } as AgentEvent);
  };
  const approvals = createOpenApprovals({
    emit,
    respond: (id, result) => server.respond(id, result),
    rules: launch.permissions,
    place: { folder, home: request.home },
    onChange: () => tellState(),
  });
  const tellState = () => {
    const says = approvals.isEmpty ? (conversation.turn === undefined ? 'idle' : 'busy') : 'waiting';
    signalState(says, approvals.first ?? `the app server says ${says}`);
  };
  const signalState = (says: SignalMeaning, detail: string) =>
    emit({ type: 'signal.seen', source: 'status-file', says, detail });
  const note: Note = async (id, { isAsked, hasTurn = false }) => {
    conversation.id = id;
    conversation.hasTurn = hasTurn;
    await writeChannelFile(channelFiles(privateFolder).thread, { pid, id, isAsked, hasTurn });
  };
  const server = await connectAppServer(socket, {
    onNotification: (method, params) => hear(conversation, method, params, { emit, approvals, tellState }),
    onRequest(id, method, params) {
      if (params.threadId !== conversation.id) return; // of a conversation that is Codex's own
      const item = conversation.items.get(textIn(params.itemId) ?? '');
      if (!approvals.ask(id, { method, params, item })) signalState('waiting', `${method}: only its screen can answer`);
    },
    onClose: () => settleGone(),
  });
  const params = { ...launch.thread, ...(instructions === undefined ? {} : { developerInstructions: instructions }) };
  await open(server, conversation, { launch, params, note, known: await readChannelThread(privateFolder, pid) });
  tellState();
  return { gone, close: () => server.close(), ...createRequests({ server, conversation, approvals, note, params }) };
}

type Untimed = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, 'at' | 'isPast'>
    : never
  : never;

interface Conversation {
  id?: string;
  /** The turn that is under way. */
  turn?: string | undefined;
  /** The last turn that ended. */
  ended?: string | undefined;
  hasTurn: boolean;
  /** Those of the turn that may need an approval. */
  readonly items: Map<string, JsonObject>;
}

/** For the screen, and for the next supervisor. */
type Note = (id: string, is: { readonly isAsked: boolean; readonly hasTurn?: boolean }) => Promise<void>;

interface Opening {
  readonly launch: ChannelLaunch;
  readonly params: JsonObject;
  readonly known: ChannelThread | undefined;
  readonly note: Note;
}

/**
 * The conversation of this process, else the wanted one, else a new one. Rejects where it cannot be known whether the one of this
 * process is at work: a second one beside it would do its work again.
 */
async function open(server: AppServer, conversation: Conversation, opening: Opening): Promise<void> {
  const { launch, params, known, note } = opening;
  const id = known === undefined ? launch.resume : known.isAsked ? known.id : undefined;
  const thread = id === undefined ? undefined : await resume(server, conversation, { ...opening, id });
  if (id !== undefined && thread !== undefined) {
    takeTurns(conversation, thread);
    return note(textIn(thread.id) ?? id, { isAsked: true, hasTurn: true });
  }
  const begun = await server.request('thread/start', params);
  await note(textIn(objectIn(begun.thread)?.id) ?? '', { isAsked: false });
}

/** Nothing where Codex says that there is no such conversation. */
async function resume(
  server: AppServer,
  conversation: Conversation,
  { id, params, known }: Opening & { readonly id: string },
): Promise<JsonObject | undefined> {
  conversation.id = id; // what is open is asked again before the answer is here
  try {
    return objectIn((await server.request('thread/resume', { threadId: id, ...params })).thread);
  } catch (error) {
    if (error instanceof AppServerRefusal && known?.hasTurn !== true) return undefined; // its first prompt never arrived
    throw error;
  }
}

/** The turn that is under way, unless its end was heard before the answer that tells of it. */
function takeTurns(conversation: Conversation, thread: JsonObject): void {
  const last = objectIn(Array.isArray(thread.turns) ? thread.turns.at(-1) : undefined);
  const turn = last?.status === 'inProgress' ? textIn(last.id) : undefined;
  if (turn !== conversation.ended) conversation.turn ??= turn;
}

interface Deps {
  emit(event: Untimed): void;
  readonly approvals: ReturnType<typeof createOpenApprovals>;
  tellState(): void;
}

function hear(conversation: Conversation, method: string, params: JsonObject, deps: Deps): void {
  if (params.threadId !== conversation.id) return;
  const turn = objectIn(params.turn);
  switch (method) {
    case 'turn/started':
      conversation.turn = textIn(turn?.id);
      deps.tellState();
      break;
    case 'turn/completed':
      endTurn(conversation, turn, deps);
      break;
    case 'item/started':
      takeItem(conversation, objectIn(params.item) ?? {}, deps);
      break;
    case 'serverRequest/resolved':
      deps.approvals.resolved(numberIn(params.requestId) ?? textIn(params.requestId) ?? '');
      break;
    case 'thread/tokenUsage/updated':
      tellUsage(conversation, objectIn(params.tokenUsage), deps);
      break;
  }
}

function endTurn(conversation: Conversation, turn: JsonObject | undefined, { approvals, emit, tellState }: Deps): void {
  conversation.turn = undefined;
  conversation.ended = textIn(turn?.id);
  conversation.items.clear();
  approvals.endTurn();
  const error = objectIn(turn?.error);
  if (error !== undefined)
    emit({ type: 'error.reported', kind: codexErrorKind(error), detail: textIn(error.message) ?? '' });
  tellState();
}

function takeItem(conversation: Conversation, item: JsonObject, { emit }: Deps): void {
  const promptId = item.type === 'userMessage' ? textIn(item.clientId) : undefined;
  if (promptId !== undefined) emit({ type: 'prompt.accepted', promptId });
  if (item.type === 'fileChange' || item.type === 'commandExecution')
    conversation.items.set(textIn(item.id) ?? '', item);
}

/** `last` is the context as it is now; the total is of the whole conversation. */
function tellUsage({ id = '' }: Conversation, usage: JsonObject | undefined, { emit }: Deps): void {
  const usedTokens = numberIn(objectIn(usage?.last)?.totalTokens);
  const windowTokens = numberIn(usage?.modelContextWindow);
  if (usedTokens === undefined || windowTokens === undefined) return;
  emit({ type: 'usage.measured', conversationId: id, usage: { usedTokens, windowTokens }, window: 'recorded' });
}

interface RequestDeps {
  readonly server: AppServer;
  readonly conversation: Conversation;
  readonly approvals: ReturnType<typeof createOpenApprovals>;
  readonly params: JsonObject;
  readonly note: Note;
}

/** Prompts and compactions only while it is idle: they would change the turn that is under way, or end it. */
function createRequests({ server, conversation, approvals, params, note }: RequestDeps) {
  const prompt = async (text: string, id: string): Promise<HandOver> => {
    const { id: threadId, turn } = conversation;
    if (threadId === undefined || turn !== undefined) return 'full';
    if (!conversation.hasTurn) await note(threadId, { isAsked: true });
    const started = await server.request('turn/start', { threadId, clientUserMessageId: id, input: inputOf(text) });
    const begun = textIn(objectIn(started.turn)?.id);
    if (begun !== conversation.ended) conversation.turn ??= begun; // its end may be told before its beginning is answered
    if (!conversation.hasTurn) await note(threadId, { isAsked: true, hasTurn: true });
    return 'handed';
  };
  return {
    prompt,
    async interrupt(): Promise<HandOver> {
      const { id: threadId, turn } = conversation;
      if (threadId === undefined || turn === undefined) return 'handed';
      approvals.interrupting();
      await server.request('turn/interrupt', { threadId, turnId: turn });
      await server.request('thread/backgroundTerminals/clean', { threadId }); // it leaves the command that runs
      return 'handed';
    },
    async compact(): Promise<HandOver> {
      const { id: threadId, turn } = conversation;
      if (threadId === undefined || turn !== undefined) return 'full';
      await server.request('thread/compact/start', { threadId });
      return 'handed';
    },
    async clear(): Promise<HandOver> {
      if (conversation.turn !== undefined) return 'full';
      const begun = await server.request('thread/start', { ...params, sessionStartSource: 'clear' });
      await note(textIn(objectIn(begun.thread)?.id) ?? '', { isAsked: false });
      return 'handed';
    },
    async answer(requestId: string, choice: string, words?: string): Promise<HandOver> {
      if (!approvals.answer(requestId, choice)) return 'unsupported';
      const { id: threadId, turn } = conversation;
      if (words === undefined || threadId === undefined || turn === undefined) return 'handed';
      await server.request('turn/steer', { threadId, expectedTurnId: turn, input: inputOf(words) });
      return 'handed';
    },
  };
}

const inputOf = (text: string) => [{ type: 'text', text, text_elements: [] }];
