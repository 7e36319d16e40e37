import type { PermissionOption, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { PermissionChoice } from '@devs/core';
import { judgeRequest } from '../held/judge-request.js';
import { ALLOW, chosen, createOpenPermissions, DENY, type OpenPermissionsDeps } from '../held/open-permissions.js';
import type { Face } from '../session/agent-setup.js';
import type { AcpSetup } from './acp-setup.js';
import { describeCall, type KnownCall, permissionOf, toolOf } from './tool-facts.js';

export interface Permissions {
  ask(request: RequestPermissionRequest, call: KnownCall): Promise<RequestPermissionResponse>;
  /** `false` where no such permission is open. */
  answer(requestId: string, choice: string): boolean;
  /** The turn is over: what is open is not needed any more. */
  cancel(): void;
}

export interface PermissionDeps extends Omit<OpenPermissionsDeps, 'newId' | 'face'> {
  readonly setup: Pick<AcpSetup, 'folder' | 'user' | 'permissions' | 'newId'>;
  readonly face: Pick<Face, 'ask' | 'say'>;
}

export function createPermissions({ setup, face, ...deps }: PermissionDeps): Permissions {
  const open = createOpenPermissions({ ...deps, face, newId: setup.newId });
  return {
    async ask({ options }, call) {
      const choices = options.map(asChoice);
      const verdict = judgeRequest(permissionOf(call), setup);
      const ruled = verdict === 'ask' ? undefined : chosen(verdict === 'allow' ? ALLOW : DENY, choices);
      const detail = describeCall(call);
      if (ruled !== undefined && verdict === 'deny') face.say(`Refused by a rule: ${detail}`);
      const asks = ruled === undefined && verdict !== 'deny';
      const choice = asks ? (await open.ask({ tool: toolOf(call), detail, choices })).choice : ruled;
      return {
        outcome: choice === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: choice.id },
      };
    },
    answer: (requestId, wanted) => open.answer(requestId, wanted),
    cancel: open.cancel,
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
