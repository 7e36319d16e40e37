import type { AgentErrorKind, JsonObject } from '@devs/core';
import { objectIn, textIn } from '../../reading/json.js';

const KINDS: Readonly<Record<string, AgentErrorKind>> = {
  usageLimitExceeded: 'quota',
  sessionBudgetExceeded: 'quota',
  rateLimitExceeded: 'quota',
  contextWindowExceeded: 'overflow',
  serverOverloaded: 'overload',
  flexUnavailable: 'overload',
  internalServerError: 'overload',
  httpConnectionFailed: 'overload',
  responseStreamConnectionFailed: 'overload',
  responseStreamDisconnected: 'overload',
  responseTooManyFailedAttempts: 'overload',
  modelNotFound: 'model',
  unauthorized: 'login',
  cyberPolicy: 'policy',
  misalignmentPolicyViolation: 'policy',
  tooManyDenials: 'policy',
};

/** Pure: why a turn got no answer, by the kind that Codex names. */
export function codexErrorKind(error: JsonObject): AgentErrorKind {
  const info = error.codexErrorInfo;
  const name = textIn(info) ?? Object.keys(objectIn(info) ?? {})[0] ?? '';
  return KINDS[name] ?? 'other';
}
