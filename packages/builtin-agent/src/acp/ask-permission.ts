import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { PermissionOption, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { decidePermissionRequest, type PermissionChoice, type PermissionSettler } from '@devs/core';
import type { BuiltinFact } from '@devs/drivers';
import type { Face } from '../session/agent-setup.js';
import type { AcpSetup } from './acp-setup.js';
import { describeCall, type KnownCall, permissionOf, toolOf } from './tool-facts.js';

/** Permissions that wait for an answer: given by a key, over the channel, or over with their turn. */
export interface Permissions {
  ask(request: RequestPermissionRequest, call: KnownCall): Promise<RequestPermissionResponse>;
  /** `false` where no such permission is open. */
  answer(requestId: string, choice: string): boolean;
  /** The turn is over: what is open is not needed any more. */
  cancel(): void;
}

export interface PermissionDeps {
  readonly setup: Pick<AcpSetup, 'folder' | 'user' | 'permissions' | 'newId'>;
  readonly face: Pick<Face, 'ask' | 'say'>;
  record(fact: BuiltinFact): void;
  onWaiting(detail: string): void;
  onBusy(): void;
}

interface OpenPermission {
  readonly choices: readonly PermissionChoice[];
  settle(by: PermissionSettler, choice: PermissionChoice | undefined): void;
}

export function createPermissions({ setup, face, record, onWaiting, onBusy }: PermissionDeps): Permissions {
  const open = new Map<string, OpenPermission>();

  const ask = (call: KnownCall, choices: readonly PermissionChoice[]): Promise<PermissionChoice | undefined> => {
    const id = setup.newId();
    const detail = describeCall(call);
    const question = `Allow ${toolOf(call)}: ${detail.split('\n', 1)[0] ?? ''}?`;
    const shown = new AbortController();
    return new Promise((done) => {
      const settle = (by: PermissionSettler, choice: PermissionChoice | undefined) => {
        if (!open.delete(id)) return;
        shown.abort(choice?.name ?? 'the turn ended');
        record({ type: 'permission-settled', id, by, ...(choice === undefined ? {} : { choice: choice.id }) });
        if (open.size === 0) onBusy();
        done(choice);
      };
      open.set(id, { choices, settle });
      record({ type: 'permission', id, tool: toolOf(call), detail, choices });
      onWaiting(question);
      face
        .ask(question, shown.signal, () => {})
        .then((key) => settle('terminal', chosenByKey(key, choices)))
        .catch(() => {}); // answered elsewhere
    });
  };

  return {
    async ask({ options }, call) {
      const choices = options.map(asChoice);
      const request = permissionOf(call);
      const paths = request.paths.map((path) => followed(resolve(setup.folder, path)));
      const place = { folder: followed(setup.folder), home: setup.user.home };
      const verdict = decidePermissionRequest({ ...request, paths }, setup.permissions, place);
      const ruled = verdict === 'ask' ? undefined : chosen(verdict === 'allow' ? ALLOW : DENY, choices);
      if (ruled !== undefined && verdict === 'deny') face.say(`Refused by a rule: ${describeCall(call)}`);
      const choice = ruled ?? (verdict === 'deny' ? undefined : await ask(call, choices));
      return {
        outcome: choice === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: choice.id },
      };
    },
    answer(requestId, wanted) {
      const asked = open.get(requestId);
      const choice = asked?.choices.find(({ id }) => id === wanted);
      if (asked === undefined || choice === undefined) return false;
      asked.settle('channel', choice);
      return true;
    },
    cancel() {
      for (const { settle } of [...open.values()]) settle('turn', undefined);
    },
  };
}

const KINDS = {
  allow_once: 'allow-once',
  allow_always: 'allow-always',
  reject_once: 'deny-once',
  reject_always: 'deny-always',
} as const;

const asChoice = ({ optionId, name, kind }: PermissionOption): PermissionChoice => ({
  id: optionId,
  name,
  kind: KINDS[kind],
});

/** By what they mean: the ids differ from agent to agent. */
const ALLOW = ['allow-once', 'allow-always'] as const;
const DENY = ['deny-once', 'deny-always'] as const;

const chosen = (
  kinds: readonly PermissionChoice['kind'][],
  choices: readonly PermissionChoice[],
): PermissionChoice | undefined =>
  kinds.map((wanted) => choices.find(({ kind }) => kind === wanted)).find((choice) => choice !== undefined);

function chosenByKey(key: 'yes' | 'no' | 'always', choices: readonly PermissionChoice[]): PermissionChoice | undefined {
  if (key === 'no') return chosen(DENY, choices);
  return chosen(key === 'always' ? ['allow-always', 'allow-once'] : ALLOW, choices);
}

/** Where links lead, as far as the path exists. */
function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(followed(parent), basename(path));
  }
}
