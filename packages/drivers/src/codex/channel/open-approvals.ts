import {
  type AgentEvent,
  decidePermissionRequest,
  type JsonObject,
  type PermissionPlace,
  type PermissionRules,
} from '@devs/core';
import { textIn } from '../../reading/json.js';
import { type Approval, readApproval } from './approvals.js';

type Told = Extract<AgentEvent, { type: 'permission.asked' | 'permission.settled' }>;
type Untimed<Event> = Event extends Told ? Omit<Event, 'at' | 'isPast'> : never;

export interface ApprovalDeps {
  emit(event: Untimed<Told>): void;
  respond(id: string | number, result: JsonObject): void;
  /** Without any, all is asked. */
  readonly rules: PermissionRules | undefined;
  readonly place: PermissionPlace;
  onChange(): void;
}

interface Open extends Approval {
  readonly id: string | number;
  /** What was answered over the channel. */
  choice?: string;
}

interface AskedApproval {
  readonly method: string;
  readonly params: JsonObject;
  readonly item: JsonObject | undefined;
}

/** What Codex waits for: answered by a rule, over the channel or on its own screen, or over with the turn. */
export function createOpenApprovals({ emit, respond, rules, place, onChange }: ApprovalDeps) {
  const open = new Map<string, Open>();
  let isInterrupting = false;
  const settle = (key: string, by: 'channel' | 'terminal' | 'turn') => {
    const found = open.get(key);
    if (found === undefined) return;
    open.delete(key);
    const choice = by === 'channel' && found.choice !== undefined ? { choice: found.choice } : {};
    emit({ type: 'permission.settled', requestId: key, by, ...choice });
    onChange();
  };
  return {
    get isEmpty() {
      return open.size === 0;
    },
    /** The question that waits. */
    get first(): string | undefined {
      const [found] = open.values();
      return found === undefined ? undefined : `Allow ${found.asked.tool}: ${found.asked.detail.split('\n', 1)[0]}?`;
    },
    /** `false` where only Codex's own screen can answer. */
    ask(id: string | number, { method, params, item }: AskedApproval): boolean {
      const approval = readApproval(method, params, { item, folder: place.folder });
      if (approval === undefined) return false;
      const verdict = rules === undefined ? 'ask' : decidePermissionRequest(approval.request, rules, place);
      const ruled = verdict === 'ask' ? undefined : approval.answer(verdict === 'allow' ? 'accept' : 'decline');
      if (ruled !== undefined) {
        respond(id, ruled);
        return true;
      }
      const key = `${textIn(params.itemId) ?? textIn(params.turnId) ?? 'request'}.${id}`; // numbers begin anew with each server
      open.set(key, { ...approval, id });
      emit({ type: 'permission.asked', requestId: key, ...approval.asked });
      onChange();
      return true;
    },
    /** `false` where no such permission is open, or there is no such choice. */
    answer(requestId: string, choice: string): boolean {
      const found = open.get(requestId);
      const answer = found?.answer(choice);
      if (found === undefined || answer === undefined) return false;
      found.choice = choice;
      respond(found.id, answer);
      return true;
    },
    /** Codex says that a request is answered, by this client or by another. */
    resolved(id: string | number): void {
      for (const [key, found] of [...open])
        if (found.id === id) settle(key, found.choice !== undefined ? 'channel' : isInterrupting ? 'turn' : 'terminal');
    },
    /** The turn is about to be interrupted: what it takes with it was answered by no key. */
    interrupting(): void {
      isInterrupting = true;
    },
    endTurn(): void {
      isInterrupting = false;
      for (const key of [...open.keys()]) settle(key, 'turn');
    },
  };
}
