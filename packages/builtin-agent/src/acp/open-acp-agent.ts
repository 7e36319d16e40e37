import type { StopReason } from '@agentclientprotocol/sdk';
import { type AgentSays, acpUser } from '@devs/drivers';
import { createStatusFile } from '../conversation/status-file.js';
import { errorKind } from '../held/error-kind.js';
import type { HeldAgent } from '../held/held-agent.js';
import { AgentError } from '../session/agent-error.js';
import type { Face } from '../session/agent-setup.js';
import type { AcpSetup } from './acp-setup.js';
import { createPermissions } from './ask-permission.js';
import { connectAgent } from './connect-agent.js';
import { createHearing, type Hearing } from './hear-updates.js';
import { openRecords, type Records } from './open-records.js';

/** An agent that is reached by ACP. */
export async function openAcpAgent(setup: AcpSetup, face: Face): Promise<HeldAgent> {
  const book = new SessionBook(setup, face);
  const progress: Progress = { isTurn: false, isAskedToCompact: false };
  const hearing = createHearing({
    record: book.record,
    say: (text) => face.say(text),
    compaction: () => (progress.isAskedToCompact ? 'manual' : 'auto'),
  });
  const permissions = createPermissions({
    setup,
    face,
    record: book.record,
    onWaiting: (detail) => book.state('waiting', detail),
    onBusy: () => book.state('busy', 'at work'),
  });
  const agent = await connectAgent(setup, {
    onUpdate: (update) => hearing.take(update),
    onPermission: (request) => permissions.ask(request, hearing.callOf(request.toolCall)),
  });
  await book.open(agent, setup.conversationId).catch(async (error: unknown) => {
    await agent.close();
    throw refusal(setup.name, error);
  });
  book.show('idle', 'ready');
  const takeTurn = (text: string) => turn({ agent, book, hearing, permissions, progress }, text);

  return {
    title: agent.title,
    prompt(text, id) {
      book.record({ type: 'request', id, text });
      return takeTurn(book.withInstructions(text));
    },
    interrupt() {
      if (!progress.isTurn) return false;
      permissions.cancel();
      void agent.cancel(book.session).catch(() => {}); // its end is told
      return true;
    },
    async compact() {
      if (setup.compact === undefined) return false;
      progress.isAskedToCompact = true;
      await takeTurn(setup.compact).finally(() => {
        progress.isAskedToCompact = false;
      });
      return true;
    },
    clear: () => book.clear(agent),
    answer: (requestId, choice) => (permissions.answer(requestId, choice) ? 'settled' : 'none'),
    ended: agent.ended,
    async close() {
      permissions.cancel();
      book.close();
      await agent.close();
    },
  };
}

type ConnectedAgent = Awaited<ReturnType<typeof connectAgent>>;

interface Progress {
  isTurn: boolean;
  isAskedToCompact: boolean;
}

/** The session of the agent, its records, and the state that is shown. */
class SessionBook {
  session = '';
  private records: Records | undefined;
  /** The instructions go with the first words of a session. */
  private isNew = true;
  private readonly user: AcpSetup['user'];
  private readonly startedAt: number;
  private readonly status: ReturnType<typeof createStatusFile>;

  constructor(
    readonly setup: AcpSetup,
    readonly face: Face,
  ) {
    this.user = acpUser(setup.user);
    this.startedAt = setup.clock.now();
    this.status = createStatusFile(this.user, setup.pid);
  }

  record: Records['append'] = (fact) => this.records?.append(fact);

  async open(agent: ConnectedAgent, id: string): Promise<void> {
    const { folder, clock, permissions, name } = this.setup;
    const session = await agent.newSession();
    this.records = openRecords({ id, folder, user: this.user, clock });
    const described = { id, folder, agentVersion: agent.title, provider: 'acp', model: '', window: 0 };
    this.record({ type: 'conversation', ...described, permissions: permissions.mode, acp: name, session });
    this.isNew = true;
    this.session = session;
  }

  async clear(agent: ConnectedAgent): Promise<void> {
    const next = this.setup.newId();
    this.show('busy', 'clear');
    const before = this.records;
    await this.open(agent, next);
    before?.append({ type: 'clear', next });
    this.face.say('A new conversation, without what came before.');
    this.show('idle', 'clear');
  }

  withInstructions(text: string): string {
    const { instructions } = this.setup;
    const told = this.isNew && instructions !== undefined ? `${instructions}\n\n${text}` : text;
    this.isNew = false;
    return told;
  }

  show(says: AgentSays, detail: string): void {
    const shown = this.face.show(says);
    const { id = '', path = '' } = this.records ?? {};
    const told = { conversation: id, path, says, detail, startedAt: this.startedAt };
    this.status.write(shown === undefined ? told : { ...told, shown });
  }

  state(says: AgentSays, detail: string, error?: string): void {
    this.record({ type: 'state', says, detail, ...(error === undefined ? {} : { error }) });
    this.show(says, detail);
  }

  close(): void {
    this.status.remove();
  }
}

interface TurnParts {
  readonly agent: ConnectedAgent;
  readonly book: SessionBook;
  readonly hearing: Hearing;
  readonly permissions: ReturnType<typeof createPermissions>;
  readonly progress: Progress;
}

async function turn({ agent, book, hearing, permissions, progress }: TurnParts, text: string): Promise<void> {
  progress.isTurn = true;
  book.state('busy', 'at work');
  try {
    const reason = await agent.prompt(book.session, text);
    hearing.flush();
    endTurn(book, reason);
  } catch (error) {
    if (error instanceof AgentError) throw error; // it has ended
    hearing.flush();
    failTurn(book, error);
  } finally {
    progress.isTurn = false;
    permissions.cancel();
  }
}

function endTurn(book: SessionBook, reason: StopReason): void {
  if (reason === 'cancelled') {
    book.record({ type: 'interruption' });
    book.face.say('Interrupted.');
    book.state('idle', 'interrupted');
  } else if (reason === 'refusal') {
    const detail = `${book.setup.name} refused to continue.`;
    book.record({ type: 'error', kind: 'policy', detail });
    book.face.say(detail);
    book.state('idle', 'the turn ended', detail);
  } else book.state('idle', `the turn ended: ${reason}`);
}

function failTurn(book: SessionBook, error: unknown): void {
  const { kind, detail } = errorKind(error);
  book.record({ type: 'error', kind, detail });
  book.face.say(detail);
  const passes = kind === 'quota' ? 'usage-limit' : kind === 'overload' ? 'network' : undefined;
  if (passes !== undefined) book.record({ type: 'limit', kind: passes, detail });
  book.state('idle', 'the turn failed', passes === undefined ? detail : undefined);
}

/** Most often it wants a login. */
function refusal(name: string, error: unknown): AgentError {
  if (error instanceof AgentError) return error;
  const { kind, detail } = errorKind(error);
  const advice = kind === 'login' ? ` Log in with the agent's own program first, then start it again.` : '';
  return new AgentError(`${name} opens no session: ${detail}.${advice}`, { cause: error });
}
