import type { AskedPermission, PermissionChoice, PermissionSettler } from '@devs/core';
import type { BuiltinFact } from '@devs/drivers';
import type { Face } from '../session/agent-setup.js';

/** Permissions that wait for an answer: given by a key, over the channel, or over with their turn. */
export interface OpenPermissions {
  /** No choice: the turn was over before, or the agent took it back (`signal`). */
  ask(asked: Omit<AskedPermission, 'requestId'>, signal?: AbortSignal): Promise<SettledPermission>;
  /** `false` where no such permission is open. */
  answer(requestId: string, choice: string, words?: string): boolean;
  /** The turn is over: what is open is not needed any more. */
  cancel(): void;
}

interface SettledPermission {
  readonly choice?: PermissionChoice | undefined;
  /** Why, in the words of the user. */
  readonly words?: string | undefined;
}

export interface OpenPermissionsDeps {
  readonly newId: () => string;
  readonly face: Pick<Face, 'ask'>;
  record(fact: BuiltinFact): void;
  onWaiting(detail: string): void;
  onBusy(): void;
}

interface OpenPermission {
  readonly choices: readonly PermissionChoice[];
  settle(by: PermissionSettler, settled: SettledPermission): void;
}

export function createOpenPermissions({
  newId,
  face,
  record,
  onWaiting,
  onBusy,
}: OpenPermissionsDeps): OpenPermissions {
  const open = new Map<string, OpenPermission>();
  return {
    ask({ tool, detail, choices }, signal) {
      const id = newId();
      const question = `Allow ${tool}: ${detail.split('\n', 1)[0] ?? ''}?`;
      const shown = new AbortController();
      return new Promise((done) => {
        const settle = (by: PermissionSettler, settled: SettledPermission) => {
          if (!open.delete(id)) return;
          const { choice } = settled;
          shown.abort(choice?.name ?? 'the turn ended');
          record({ type: 'permission-settled', id, by, ...(choice === undefined ? {} : { choice: choice.id }) });
          if (open.size === 0) onBusy();
          done(settled);
        };
        open.set(id, { choices, settle });
        record({ type: 'permission', id, tool, detail, choices });
        signal?.addEventListener('abort', () => settle('turn', {}), { once: true });
        onWaiting(question);
        face
          .ask(question, shown.signal, () => {})
          .then((key) => settle('terminal', { choice: chosenByKey(key, choices) }))
          .catch(() => {}); // answered elsewhere
      });
    },
    answer(requestId, wanted, words) {
      const asked = open.get(requestId);
      const choice = asked?.choices.find(({ id }) => id === wanted);
      if (asked === undefined || choice === undefined) return false;
      asked.settle('channel', { choice, words });
      return true;
    },
    cancel() {
      for (const { settle } of [...open.values()]) settle('turn', {});
    },
  };
}

/** By what they mean: the ids differ from agent to agent. */
export const ALLOW = ['allow-once', 'allow-always'] as const;
export const DENY = ['deny-once', 'deny-always'] as const;

/** The choice that means the first of these. */
export const chosen = (
  kinds: readonly PermissionChoice['kind'][],
  choices: readonly PermissionChoice[],
): PermissionChoice | undefined =>
  kinds.map((wanted) => choices.find(({ kind }) => kind === wanted)).find((choice) => choice !== undefined);

function chosenByKey(key: 'yes' | 'no' | 'always', choices: readonly PermissionChoice[]): PermissionChoice | undefined {
  if (key === 'no') return chosen(DENY, choices);
  return chosen(key === 'always' ? ['allow-always', 'allow-once'] : ALLOW, choices);
}
