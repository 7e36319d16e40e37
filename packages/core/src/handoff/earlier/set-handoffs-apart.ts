import type { Ledger, NotedInput, Said } from '../ledger/ledger.js';
import { findHandoffText, holdsHandoff } from './find-handoff-text.js';
import { STARTING_PROMPT } from './starting-prompt.js';

export interface SetApart {
  /** Without the handoffs that stand in it: they are merged, and never told within one another. */
  readonly ledger: Ledger;
  /** The text of the newest of them. */
  readonly handoff: string | undefined;
}

/** A conversation that began from a handoff has it in a prompt, in the text of a hook, or in a file that it read. */
export function setHandoffsApart(ledger: Ledger): SetApart {
  const asked = [ledger.firstRequest, ...ledger.requests].filter((one) => one?.by === undefined);
  const said = [...asked, isOurs(ledger.lastInput) ? ledger.lastInput : undefined];
  const handoff = said.map((one) => (one === undefined ? undefined : findHandoffText(one.text)?.handoff));
  const requests = ledger.requests.flatMap(own);
  const [first] = ledger.firstRequest === undefined ? [] : own(ledger.firstRequest);
  return {
    ledger: {
      ...ledger,
      firstRequest: first ?? (ledger.firstRequest === ledger.requests[0] ? requests[0] : undefined),
      requests,
      lastInput: ledger.lastInput === undefined ? undefined : own(ledger.lastInput)[0],
      recent: ledger.recent.filter(({ text }) => !holdsHandoff(text)),
    },
    handoff: handoff.findLast((text) => text !== undefined),
  };
}

/**
 * Only what a hook of ours put there, which begins by saying so: in the words of tools and of other agents anybody can write
 * something that looks like a handoff (S6).
 */
const isOurs = (input: NotedInput | undefined): boolean =>
  input !== undefined && input.kind === 'hook' && HOOK_TEXT.test(input.text);

const HOOK_TEXT = /^\s*(?:<hook_context>\s*)?(?:\S+ hook (?:additional context|success): )?(?:devs |# Handoff\n)/;

/** A person's own words; empty if all of it was a handoff, or the request to continue from one. */
function own<One extends Said>(said: One): readonly One[] {
  const found = findHandoffText(said.text);
  const text = found === undefined ? said.text : found.rest.replace(REFRESH_PROMPT, '').trim();
  if (text.trim() === '' || STARTING_PROMPT.test(text)) return [];
  return [found === undefined ? said : { ...said, text }];
}

/** What `buildContextRefreshPrompt` puts in front. */
const REFRESH_PROMPT = /You continue the work of an earlier conversation\.[^\n]*/;
