import { type AgentErrorKind, kindOfError, messageOf } from '@devs/core';

/** ACP's own code for an agent that wants a login first. */
const AUTH_REQUIRED = -32_000;

/** Pure: what kind of trouble an agent reports. */
export function errorKind(error: unknown): { readonly kind: AgentErrorKind; readonly detail: string } {
  const { code, data } =
    typeof error === 'object' && error !== null ? (error as { code?: unknown; data?: unknown }) : {};
  const message = messageOf(error);
  const detail = `${message}${data === undefined || data === null ? '' : ` ${JSON.stringify(data)}`}`.slice(0, 1_000);
  if (code === AUTH_REQUIRED) return { kind: 'login', detail };
  return { kind: kindOfError(detail), detail };
}
