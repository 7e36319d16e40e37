import type { StopReason } from '@agentclientprotocol/sdk';
import { type AgentSays, acpUser } from '@devs/drivers';
import { createStatusFile } from '../conversation/status-file.js';
import { AgentError } from '../session/agent-error.js';
import type { Face } from '../session/agent-setup.js';
import type { AcpSetup } from './acp-setup.js';
import { createPermissions } from './ask-permission.js';
import { connectAgent } from './connect-agent.js';
import { errorKind } from './error-kind.js';
import { createHearing } from './hear-updates.js';
import { openRecords, type Records } from './open-records.js';

/** An agent that is reached by ACP, with one conversation at a time. */
export interface AcpAgent {
  /** As the agent calls itself. */
  readonly title: string;
  /** One after the other. Rejects where the agent has ended. */
  prompt(text: string, id: string): Promise<void>;
  /** Ends the turn that is under way. `false` where there is none. */
  interrupt(): boolean;
  /** `false` where this agent is not known to report it. */
  compact(): Promise<boolean>;
  clear(): Promise<void>;
  /** `false` where no such permission is open. */
  answer(requestId: string, choice: string): boolean;
  /** Resolves when its process has ended, with what it said last. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export async function openAcpAgent(setup: AcpSetup, face: Face): Promise<AcpAgent> {
  const { folder, clock, newId, name, compact } = setup;
  const user = acpUser(setup.user);
  const startedAt = clock.now();
  const status = createStatusFile(user, setup.pid);
  let records: Records;
  let isTurn = false;
  let isAskedToCompact = false;
  /** The instructions go with the first words of a session. */
  let isNew = true;

  const show = (says: AgentSays, detail: string) => {
    const shown = face.show(says);
    const told = { conversation: records.id, path: records.path, says, detail, startedAt };
    status.write(shown === undefined ? told : { ...told, shown });
  };
  const state = (says: AgentSays, detail: string, error?: string) => {
    records.append({ type: 'state', says, detail, ...(error === undefined ? {} : { error }) });
    show(says, detail);
  };
  const record: Records['append'] = (fact) => records.append(fact);
  const hearing = createHearing({
    record,
    say: (text) => face.say(text),
    compaction: () => (isAskedToCompact ? 'manual' : 'auto'),
  });
  const permissions = createPermissions({
    setup,
    face,
    record,
    onWaiting: (detail) => state('waiting', detail),
    onBusy: () => state('busy', 'at work'),
  });
  const agent = await connectAgent(setup, {
    onUpdate: (update) => hearing.take(update),
    onPermission: (request) => permissions.ask(request, hearing.callOf(request.toolCall)),
  });
  const open = async (id: string): Promise<string> => {
    const session = await agent.newSession();
    records = openRecords({ id, folder, user, clock });
    const described = { id, folder, agentVersion: agent.title, provider: 'acp', model: '', window: 0 };
    record({ type: 'conversation', ...described, permissions: setup.permissions.mode, acp: name, session });
    isNew = true;
    return session;
  };
  let session = await open(setup.conversationId).catch(async (error: unknown) => {
    await agent.close();
    throw refusal(name, error);
  });
  show('idle', 'ready');

  const endTurn = (reason: StopReason) => {
    hearing.flush();
    if (reason === 'cancelled') {
      record({ type: 'interruption' });
      face.say('Interrupted.');
      return state('idle', 'interrupted');
    }
    if (reason !== 'refusal') return state('idle', `the turn ended: ${reason}`);
    const detail = `${name} refused to continue.`;
    record({ type: 'error', kind: 'policy', detail });
    face.say(detail);
    state('idle', 'the turn ended', detail);
  };
  const failTurn = (error: unknown) => {
    hearing.flush();
    const { kind, detail } = errorKind(error);
    record({ type: 'error', kind, detail });
    face.say(detail);
    const passes = kind === 'quota' ? 'usage-limit' : kind === 'overload' ? 'network' : undefined;
    if (passes !== undefined) record({ type: 'limit', kind: passes, detail });
    state('idle', 'the turn failed', passes === undefined ? detail : undefined);
  };
  const takeTurn = async (text: string) => {
    isTurn = true;
    state('busy', 'at work');
    try {
      endTurn(await agent.prompt(session, text));
    } catch (error) {
      if (error instanceof AgentError) throw error; // it has ended
      failTurn(error);
    } finally {
      isTurn = false;
      permissions.cancel();
    }
  };

  return {
    title: agent.title,
    async prompt(text, id) {
      record({ type: 'request', id, text });
      const told = isNew && setup.instructions !== undefined ? `${setup.instructions}\n\n${text}` : text;
      isNew = false;
      await takeTurn(told);
    },
    interrupt() {
      if (!isTurn) return false;
      permissions.cancel();
      void agent.cancel(session).catch(() => {}); // its end is told
      return true;
    },
    async compact() {
      if (compact === undefined) return false;
      isAskedToCompact = true;
      try {
        await takeTurn(compact);
      } finally {
        isAskedToCompact = false;
      }
      return true;
    },
    async clear() {
      const next = newId();
      show('busy', 'clear');
      const before = records;
      session = await open(next);
      before.append({ type: 'clear', next });
      face.say('A new conversation, without what came before.');
      show('idle', 'clear');
    },
    answer: permissions.answer,
    ended: agent.ended,
    async close() {
      permissions.cancel();
      status.remove();
      await agent.close();
    },
  };
}

/** Most often it wants a login. */
function refusal(name: string, error: unknown): AgentError {
  if (error instanceof AgentError) return error;
  const { kind, detail } = errorKind(error);
  const advice = kind === 'login' ? ` Log in with the agent's own program first, then start it again.` : '';
  return new AgentError(`${name} opens no session: ${detail}.${advice}`, { cause: error });
}
