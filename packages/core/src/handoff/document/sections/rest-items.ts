import type { Ledger } from '../../ledger/ledger.js';
import type { HandoffSources } from '../build-document.js';
import type { HandoffItem } from '../handoff-document.js';
import { code } from '../wording.js';

/** How to look up what this document left out. */
export function restItems(
  { place, requests, notes }: Ledger,
  { transcript, resumeCommand }: HandoffSources,
  renewals: number,
): readonly HandoffItem[] {
  const from = notes.at(-1)?.from ?? requests.at(-1)?.from;
  if (from === undefined) return [];
  const { conversationId = '' } = place;
  const old = resumeCommand?.endsWith(` ${conversationId}`)
    ? `${code(resumeCommand)} opens the old conversation`
    : `The old conversation is ${code(conversationId)}`;
  const parts = [
    conversationId === '' ? '' : `${old}${inARow(renewals)}`,
    transcript === undefined ? '' : `its transcript, up to line ${from.line}, is ${code(transcript)}`,
    transcript === undefined ? '' : `${code('devs recall WORDS')} searches every conversation of this project`,
  ].filter((part) => part !== '');
  return parts.length === 0
    ? []
    : [{ form: 'line', text: `${parts.join('; ')}.`, from: [from], worth: 10, required: true }];
}

/** After how many handoffs; a later conversation reads it here. */
const inARow = (renewals: number) => (renewals === 0 ? '' : `, number ${renewals + 1} in a row`);
