import type { AgentErrorKind } from '../ports/agent-channel.js';

/** Words of providers, in the order in which they count. Agents give them in one text, each in its own way. */
const SIGNS: readonly (readonly [AgentErrorKind, RegExp])[] = [
  ['overflow', /prompt is too long|context[ _](?:length|window)|maximum context|too many tokens/i],
  ['quota', /\b429\b|usage[ _]limit|rate[ _-]?limit|quota|insufficient[ _](?:credit|balance)/i],
  [
    'overload',
    /\b(?:500|502|503|529)\b|overloaded|ECONNRE|connection (?:refused|reset)|ETIMEDOUT|fetch failed|network/i,
  ],
  ['login', /\b401\b|\b403\b|unauthori[sz]ed|authenticat|api[ _-]?key|log ?in/i],
  ['model', /\b404\b.*model|model\b.*(?:not (?:found|exist|supported)|unknown)|unknown model/i],
  ['policy', /content[ _]policy|safety|refus/i],
];

/** Pure: the kind of an error whose agent gives only its words. */
export const kindOfError = (detail: string): AgentErrorKind =>
  SIGNS.find(([, sign]) => sign.test(detail))?.[0] ?? 'other';

/** What the user can do about an error that does not pass by itself. */
const ADVICE: Readonly<Record<AgentErrorKind, string>> = {
  login:
    "Its provider did not accept the login. Log in again with the agent's own program, or set a valid key and start the run again.",
  model:
    "Its provider does not know the model, or does not offer it to you. Choose another one in the agent's own settings.",
  quota: 'The plan or the credit is used up. Wait for its reset, add credit, or log in with another plan.',
  overload: 'Its provider is overloaded or cannot be reached. Look at its status page and at your network.',
  overflow:
    'The conversation does not fit the window of the model any more. `devs renew` continues with a fresh agent.',
  policy: 'Its provider refused the content. Say the work in other words, or leave out what was refused.',
  other: '',
};

/** Of a plan that is used up, too; but no limit that passes by itself. */
const CREDIT = /\b(?:credit|billing|balance)\b/i;

/** Pure: an error that ended a turn, with what the user can do. */
export function aboutError({ kind, detail }: { readonly kind: AgentErrorKind; readonly detail: string }): string {
  const said = `its turn ended with an error: ${detail}`;
  const advice = ADVICE[kind === 'other' && CREDIT.test(detail) ? 'quota' : kind];
  return advice === '' ? said : `${said}${/[.!?]$/.test(said) ? '' : '.'} ${advice} Your answer makes it try again.`;
}
