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
const MAX_OUTPUT_CHARS = 20_000;
const TIME_LIMIT_MS = 300_000;

export async function openAgent(setup: AgentSetup, face: Face): Promise<Agent> {
  const startedAt = setup.clock.now();
  const agent = new BuiltinAgent(setup, face, { startedAt, box: await openBox(setup, face) });
  await agent.begin();
  return agent;
}

const openBox = (setup: AgentSetup, face: Face): Promise<Work['box']> =>
  openTools({
    root: setup.folder,
    env: setup.user.env,
    sandbox: setup.sandbox,
    servers: setup.servers,
    mostOutputChars: setup.mostOutputChars ?? MAX_OUTPUT_CHARS,
    timeLimitMs: setup.timeLimitMs ?? TIME_LIMIT_MS,
    onMissing(server, error) {
      const text = `The MCP server ${server} cannot be started: ${String(error)}`;
      // Without the tools of its workflow it could only search for them. Its supervisor starts it again.
      if (server === WORKFLOW_SERVER) throw new AgentError(text, { cause: error });
      face.say(text);
    },
  });

class BuiltinAgent implements Agent {
  private readonly status: ReturnType<typeof createStatusFile>;
  private readonly size: Work['size'];
  private readonly llm: ReturnType<AgentSetup['model']['open']>;
  private working: AbortController | undefined;
  private current: Work | undefined;

  constructor(
    private readonly setup: AgentSetup,
    private readonly face: Face,
    private readonly own: { readonly startedAt: number; readonly box: Work['box'] },
  ) {
    const { folder, sandbox, instructions, model } = setup;
    const isSandboxed = sandbox.kind !== 'none';
    const system = systemPrompt({ folder, tools: own.box.tools, isSandboxed, instructions });
    this.status = createStatusFile(setup.user, setup.pid);
    this.size = { window: model.window, systemTokens: estimateTokens(system) };
    this.llm = model.open(system);
  }

  async begin(): Promise<void> {
    this.current = await this.open(this.setup.conversationId, this.setup.permissions);
    const { conversation } = this.work;
    this.show(conversation, { says: 'idle', detail: 'ready' }, conversation.state.isUnfinished ? {} : undefined);
  }

  async obey(text: string): Promise<Obeyed> {
    const [command] = text.trim().split(/\s+/);
    switch (command) {
      case '':
      case undefined:
        return 'on';
      case '/exit':
      case '/quit':
        return 'exit';
      case '/status':
        this.face.say(describeStatus(this.work.conversation, this.setup));
        return 'on';
      case '/compact':
      case '/clear':
        this.show(this.work.conversation, { says: 'busy', detail: command }, undefined);
        if (command === '/clear') await this.clear();
        else this.compact();
        this.show(this.work.conversation, { says: 'idle', detail: command }, undefined);
        return 'on';
      default:
        if (!/^\/[a-z]+$/.test(command)) return this.workOn(text);
        this.face.say(`There is no command ${command}: /compact, /clear, /status, /exit.`);
        return 'failed';
    }
  }

  interrupt(): boolean {
    this.working?.abort(new AgentError('interrupted by the user'));
    return this.working !== undefined;
  }

  async close(): Promise<void> {
    this.working?.abort(new AgentError('the agent ends'));
    this.status.remove();
    await this.own.box.close();
    await this.setup.sandbox.close();
  }

  private get work(): Work {
    if (this.current === undefined) throw new AgentError('the agent has not begun');
    return this.current;
  }

  private compact(): void {
    this.work.conversation.compact('manual', this.size);
    this.face.say('Compacted: the conversation continues from its records.');
  }

  private async clear(): Promise<void> {
    const next = this.setup.newId();
    this.work.conversation.append({ type: 'clear', next });
    this.current = await this.open(next, this.work.permissions);
    this.face.say('A new conversation, without what came before.');
  }

  private async workOn(text: string): Promise<Obeyed> {
    const { conversation } = this.work;
    const working = new AbortController();
    this.working = working;
    try {
      conversation.append({ type: 'request', id: this.setup.newId(), text });
      this.say(conversation, AT_WORK);
      const end = await workOnRequest(this.work, working.signal);
      this.say(conversation, { says: 'idle', detail: 'the turn ended' }, errorOf(end));
      return end.kind === 'done' ? 'on' : 'failed';
    } catch (error) {
      if (!working.signal.aborted) throw error;
      takeUp(conversation);
      conversation.append({ type: 'interruption' });
      this.face.say('Interrupted.');
      this.say(conversation, { says: 'idle', detail: 'interrupted' });
      return 'failed';
    } finally {
      this.working = undefined;
    }
  }

  private async open(id: string, permissions: Work['permissions']): Promise<Work> {
    const { setup, face, size, llm } = this;
    const { folder, user, clock, model } = setup;
    const conversation = await openConversation({ id, folder, user, clock });
    const { state, isNew } = conversation;
    if (setup.isResumed && id === setup.conversationId && isNew)
      throw new AgentError(`there is no conversation ${id} in ${folder}`);
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
    const onWaiting = (detail: string) => this.say(conversation, { says: 'waiting', detail });
    const onBusy = () => this.say(conversation, AT_WORK);
    return { conversation, setup, size, turns, box: this.own.box, permissions, face, onWaiting, onBusy };
  }

  private say(conversation: Conversation, shown: Shown, turn: TurnShown = {}): void {
    this.show(conversation, shown, turn);
  }

  /** Without a turn, its result is shown and not recorded: a command is none. */
  private show(conversation: Conversation, { says, detail }: Shown, turn: TurnShown | undefined): void {
    const shown = this.face.show(says);
    if (turn !== undefined) conversation.append({ type: 'state', says, detail, ...turn });
    const { startedAt } = this.own;
    const told = { conversation: conversation.id, path: conversation.path, says, detail, startedAt };
    this.status.write(shown === undefined ? told : { ...told, shown });
  }
}

interface Shown {
  readonly says: AgentSays;
  readonly detail: string;
}

const AT_WORK: Shown = { says: 'busy', detail: 'at work' };

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
