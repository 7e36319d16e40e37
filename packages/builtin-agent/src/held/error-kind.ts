import { type AgentErrorKind, messageOf } from '@devs/core';

/** ACP's own code for an agent that wants a login first. */
const AUTH_REQUIRED = -32_000;

/** The first that fits. Agents give the provider's words in one text, each in its own way. */
const SIGNS: readonly (readonly [AgentErrorKind, RegExp])[] = [
  ['overflow', /prompt is too long|context[ _](?:length|window)|maximum context|too many tokens/i],
  ['quota', /\b429\b|usage[ _]limit|rate[ _-]?limit|quota|insufficient[ _](?:credit|balance)/i],
  ['overload', /\b(?:500|502|503|529)\b|overloaded|ECONNRE|ETIMEDOUT|fetch failed|network/i],
  ['login', /\b401\b|\b403\b|unauthori[sz]ed|authenticat|api[ _-]?key|log ?in/i],
  ['model', /\b404\b.*model|model\b.*(?:not (?:found|exist|supported)|unknown)|unknown model/i],
  ['policy', /content[ _]policy|safety|refus/i],
];

/** Pure: what kind of trouble an agent reports. */
export function errorKind(error: unknown): { readonly kind: AgentErrorKind; readonly detail: string } {
  const { code, data } =
    typeof error === 'object' && error !== null ? (error as { code?: unknown; data?: unknown }) : {};
  const message = messageOf(error);
  const detail = `${message}${data === undefined || data === null ? '' : ` ${JSON.stringify(data)}`}`.slice(0, 1_000);
  if (code === AUTH_REQUIRED) return { kind: 'login', detail };
  return { kind: SIGNS.find(([, sign]) => sign.test(detail))?.[0] ?? 'other', detail };
}
