import { estimateTokens } from '@devs/core';
import type { AgentSays } from '@devs/drivers';
import { type Conversation, openConversation } from '../conversation/open-conversation.js';
import { createStatusFile } from '../conversation/status-file.js';
import { systemPrompt } from '../protocol/system-prompt.js';
import { openTools } from '../tools/open-tools.js';
import { AgentError } from './agent-error.js';
import type { AgentSetup, Face } from './agent-setup.js';
import { describeStatus } from './describe-status.js';
import { summariesOf } from './summaries-of.js';
import { createTurnTaker } from './take-turn.js';
import { type Work, type WorkEnd, workOnRequest } from './work-on-request.js';

/** One agent with one conversation at a time. */
export interface Agent {
  /** A prompt, or a command such as `/compact`. One after the other. */
  obey(text: string): Promise<Obeyed>;
  /** Ends the turn that is under way, where there is one. */
  interrupt(): boolean;
  close(): Promise<void>;
}

/** `exit`: the agent should end. `failed`: the request was not worked on to its end. */
type Obeyed = 'on' | 'failed' | 'exit';

/** Its tools lead the work of a run. */
const WORKFLOW_SERVER = 'devs';
const MOST_OUTPUT_CHARS = 20_000;
const TIME_LIMIT_MS = 300_000;

export async function openAgent(setup: AgentSetup, face: Face): Promise<Agent> {
  const { folder, user, clock, newId, model } = setup;
  const startedAt = clock.now();
  const status = createStatusFile(user, setup.pid);
  const box = await openTools({
    root: folder,
    env: user.env,
    sandbox: setup.sandbox,
    servers: setup.servers,
    mostOutputChars: setup.mostOutputChars ?? MOST_OUTPUT_CHARS,
    timeLimitMs: setup.timeLimitMs ?? TIME_LIMIT_MS,
    onMissing(server, error) {
      const text = `The MCP server ${server} cannot be started: ${String(error)}`;
      // Without the tools of its workflow it could only search for them. Its supervisor starts it again.
      if (server === WORKFLOW_SERVER) throw new AgentError(text, { cause: error });
      face.say(text);
    },
  });
  const system = systemPrompt({
    folder,
    tools: box.tools,
    isSandboxed: setup.sandbox.kind !== 'none',
    instructions: setup.instructions,
  });
  const size = { window: model.window, systemTokens: estimateTokens(system) };
  const llm = model.open(system);
  let permissions = setup.permissions;
  let working: AbortController | undefined;

  /** A command is not a turn: its result is shown and not recorded. */
  const show = (conversation: Conversation, says: AgentSays, detail: string, turn: TurnShown | undefined) => {
    const shown = face.show(says);
    if (turn !== undefined) conversation.append({ type: 'state', says, detail, ...turn });
    const told = { conversation: conversation.id, path: conversation.path, says, detail, startedAt };
    status.write(shown === undefined ? told : { ...told, shown });
  };
  const say = (conversation: Conversation, says: AgentSays, detail: string, turn: TurnShown = {}) =>
    show(conversation, says, detail, turn);
  const open = async (id: string): Promise<Work> => {
    const conversation = await openConversation({ id, folder, user, clock });
    const { state, isNew } = conversation;
    if (setup.isResumed && id === setup.conversationId && isNew) {
      throw new AgentError(`there is no conversation ${id} in ${folder}`);
    }
    conversation.append({
      type: 'conversation',
      id,
      folder,
      agentVersion: setup.version,
      provider: model.provider,
      model: model.name,
      window: model.window,
      permissions: setup.permissions.mode,
    });
    takeUp(conversation);
    const turns = await createTurnTaker({
      llm,
      systemTokens: size.systemTokens,
      summaries: setup.specs && summariesOf(setup.specs, () => conversation.state.tokens),
      reinjectEvery: setup.reinjectEvery,
      turnsInNode: state.turnsInNode,
    });
    return {
      conversation,
      setup,
      size,
      turns,
      box,
      get permissions() {
        return permissions;
      },
      set permissions(changed) {
        permissions = changed;
      },
      face,
      onWaiting: (detail) => say(conversation, 'waiting', detail),
      onBusy: () => say(conversation, 'busy', 'at work'),
    };
  };
  let work = await open(setup.conversationId);
  show(work.conversation, 'idle', 'ready', work.conversation.state.isUnfinished ? {} : undefined);

  const clear = async () => {
    const next = newId();
    work.conversation.append({ type: 'clear', next });
    work = await open(next);
    face.say('A new conversation, without what came before.');
  };
  const request = async (text: string): Promise<Obeyed> => {
    const { conversation } = work;
    working = new AbortController();
    try {
      conversation.append({ type: 'request', id: newId(), text });
      say(conversation, 'busy', 'at work');
      const end = await workOnRequest(work, working.signal);
      if (end.kind === 'waits') say(conversation, 'waiting', end.why);
      else say(conversation, 'idle', 'the turn ended', errorOf(end));
      return end.kind === 'done' ? 'on' : 'failed';
    } catch (error) {
      if (!working.signal.aborted) throw error;
      takeUp(conversation);
      conversation.append({ type: 'interruption' });
      face.say('Interrupted.');
      say(conversation, 'idle', 'interrupted');
      return 'failed';
    } finally {
      working = undefined;
    }
  };

  return {
    async obey(text) {
      const [command] = text.trim().split(/\s+/);
      switch (command) {
        case '':
        case undefined:
          return 'on';
        case '/exit':
        case '/quit':
          return 'exit';
        case '/status':
          face.say(describeStatus(work.conversation, setup));
          return 'on';
        case '/compact':
        case '/clear':
          show(work.conversation, 'busy', command, undefined);
          if (command === '/clear') await clear();
          else {
            work.conversation.compact('manual', size);
            face.say('Compacted: the conversation continues from its records.');
          }
          show(work.conversation, 'idle', command, undefined);
          return 'on';
        default:
          if (!/^\/[a-z]+$/.test(command)) return request(text);
          face.say(`There is no command ${command}: /compact, /clear, /status, /exit.`);
          return 'failed';
      }
    },
    interrupt() {
      working?.abort(new AgentError('interrupted by the user'));
      return working !== undefined;
    },
    async close() {
      working?.abort(new AgentError('the agent ends'));
      status.remove();
      await box.close();
      await setup.sandbox.close();
    },
  };
}

/** Recorded for a turn besides the agent's state; `error`: why it got no answer. */
type TurnShown = { readonly error?: string };

const errorOf = (end: WorkEnd): TurnShown =>
  end.kind === 'failed' && end.error !== undefined ? { error: end.error } : {};

/** For a call with an unknown outcome, the model has to check instead of assuming success or failure. */
function takeUp(conversation: Conversation): void {
  const { openCall } = conversation.state;
  if (openCall === undefined) return;
  const errorDetail = 'interrupted: it may have been done or not, look before you do it again';
  conversation.append({ type: 'answer', ...openCall, status: 'error', output: '', errorDetail });
}
