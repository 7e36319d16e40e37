import { writeFileSync } from 'node:fs';
import type { JsonObject } from '@devs/core';
import type { HeldAgent } from '../held/held-agent.js';
import { AgentError } from '../session/agent-error.js';
import type { Face } from '../session/agent-setup.js';
import { createClaudePermissions } from './claude-permissions.js';
import { connectClaude, NotSpokenError } from './connect-claude.js';
import { createTurns } from './create-turns.js';
import { openJournal } from './open-journal.js';
import type { AskedRequest, StreamMessage, TurnResult } from './read-message.js';
import { showSaid } from './show-said.js';
import type { StreamSetup } from './stream-setup.js';
import { isInterrupted, turnTrouble } from './turn-trouble.js';
import { windowIn } from './window-in.js';

/** Claude Code, reached by stream-json: its own transcript tells what it did, and the journal of devs the rest. */
export async function openClaudeAgent(setup: StreamSetup, face: Face): Promise<HeldAgent> {
  const journal = openJournal(setup, face);
  const hearing = new ClaudeHearing(setup, face, journal);
  const { turns, permissions } = hearing;
  const claude = await connectClaude(setup, (message) => hearing.hear(message)).catch((error: unknown) => {
    journal.close();
    if (setup.refusedFile !== undefined && error instanceof NotSpokenError)
      writeFileSync(setup.refusedFile, error.message, { mode: 0o600 });
    throw error;
  });
  hearing.claude = claude;
  const gone = claude.ended.then((why): never => {
    throw new AgentError(`${setup.name} ended: ${why}`);
  });
  gone.catch(() => {}); // who waits for a turn hears it
  void claude.request({ subtype: 'get_session_cost' }).then((answer) => {
    hearing.costBefore = costIn(answer);
  });
  journal.ready();

  const tell = (content: string, id?: string): Promise<void> => {
    const { uuid, ended } = turns.begin(id);
    claude.send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '', uuid });
    return Promise.race([ended, gone]);
  };
  return {
    title: 'Claude Code',
    prompt: tell,
    interrupt() {
      if (turns.isResting()) return false;
      permissions.cancel();
      void claude.request({ subtype: 'interrupt' });
      return true;
    },
    async compact() {
      await tell('/compact');
      return true;
    },
    clear: () => tell('/clear'),
    usage: () => void hearing.measure(),
    answer: (requestId, choice, words) => (permissions.answer(requestId, choice, words) ? 'told' : 'none'),
    ended: claude.ended,
    async close() {
      permissions.cancel();
      journal.close();
      await claude.close();
    },
  };
}

type ConnectedClaude = Awaited<ReturnType<typeof connectClaude>>;

/** What Claude Code says on its stream, for the journal, the face and the callers that wait for a turn. */
class ClaudeHearing {
  readonly turns: ReturnType<typeof createTurns>;
  readonly permissions: ReturnType<typeof createClaudePermissions>;
  claude: ConnectedClaude | undefined;
  /** What the conversation had cost before this process. */
  costBefore = 0;
  private trouble: string | undefined;
  private isWindowKnown = false;

  constructor(
    setup: StreamSetup,
    private readonly face: Face,
    private readonly journal: ReturnType<typeof openJournal>,
  ) {
    this.turns = createTurns(setup.newId);
    this.permissions = createClaudePermissions({
      setup,
      face,
      record: journal.append,
      onWaiting: (detail) => journal.state('waiting', detail),
      onBusy: () => journal.state('busy', 'at work'),
    });
  }

  hear(message: StreamMessage) {
    const { turns, journal, face, permissions } = this;
    switch (message.type) {
      case 'state':
        turns.tellsState = true;
        if (message.state === 'running') journal.state('busy', 'at work');
        return message.state === 'idle' ? this.rest() : undefined;
      case 'init':
        return journal.inConversation(message.sessionId);
      case 'tasks':
        return journal.inBackground(message);
      case 'compacted':
        face.say('Compacted.');
        return void this.measure();
      case 'compaction failed':
        return face.say(`It did not compact: ${message.why}`);
      case 'prompt':
        return message.is === 'over' ? turns.over(message.uuid) : this.accepted(message.uuid);
      case 'said':
        for (const line of showSaid(message.parts)) face.say(line);
        return;
      case 'asked':
        return void this.answer(message);
      case 'withdrawn':
        return permissions.withdraw(message.requestId);
      case 'result':
        return this.endTurn(message);
      case 'response':
    }
  }

  async measure(): Promise<void> {
    const window = windowIn(await this.claude?.request({ subtype: 'get_context_usage' }));
    if (window !== undefined) this.journal.append({ type: 'window', ...window });
  }

  private accepted(uuid: string): void {
    const id = this.turns.accepted(uuid);
    if (id !== undefined) this.journal.append({ type: 'request', id, text: '' }); // the transcript holds the text
    if (!this.isWindowKnown) void this.measure();
    this.isWindowKnown = true;
  }

  private rest(): void {
    this.journal.state('idle', 'the turn ended', this.trouble);
    this.trouble = undefined;
    this.turns.rest();
  }

  private endTurn(result: TurnResult): void {
    const { turns, journal, face } = this;
    for (const uuid of result.user_message_uuids ?? []) turns.over(uuid);
    const found = turnTrouble(result);
    if (isInterrupted(result)) {
      journal.append({ type: 'interruption' });
      face.say('Interrupted.');
    } else if (found !== undefined) {
      journal.append({ type: 'error', kind: found.kind, detail: found.detail });
      if (!found.passes) this.trouble = found.detail;
    }
    if (result.total_cost_usd !== undefined)
      journal.append({ type: 'cost', usd: Math.max(0, result.total_cost_usd - this.costBefore) });
    if (!turns.tellsState) this.rest();
  }

  private async answer(asked: AskedRequest): Promise<void> {
    const answered = await this.permissions.ask(asked);
    if (answered === 'unknown') this.claude?.send(refusalOf(asked));
    else if (answered !== 'withdrawn') this.claude?.send(responseTo(asked, answered));
  }
}

const responseTo = ({ request_id: id }: AskedRequest, response: JsonObject): JsonObject => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id, response },
});

/** A newer version may ask for something else: it must not wait for ever. */
const refusalOf = ({ request_id: id, request }: AskedRequest): JsonObject => ({
  type: 'control_response',
  response: { subtype: 'error', request_id: id, error: `devs does not know ${request.subtype}` },
});

/**
 * What the conversation had cost before this process, in US dollars: a resumed one continues its total, and `get_session_cost` says it
 * only in words (measured, 2.1.325). Pure.
 */
export function costIn(answer: JsonObject | undefined): number {
  const text = typeof answer?.text === 'string' ? answer.text : '';
  const said = /^Total cost:\s+\$(\d+(?:\.\d+)?)$/m.exec(text)?.[1];
  return said === undefined ? 0 : Number(said);
}
