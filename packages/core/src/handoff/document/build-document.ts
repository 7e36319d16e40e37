import { carryOver } from '../earlier/carry-over.js';
import { readHandoffText } from '../earlier/read-handoff-text.js';
import { setHandoffsApart } from '../earlier/set-handoffs-apart.js';
import type { GitEvidence } from '../evidence/git-evidence.js';
import { standingErrors } from '../evidence/standing-errors.js';
import type { Ledger } from '../ledger/ledger.js';
import { safeTexts } from '../safe-text.js';
import type { HandoffDocument, HandoffItem, SectionId } from './handoff-document.js';
import { commandItems, doneItems } from './sections/command-items.js';
import { decisionItems } from './sections/decision-items.js';
import { exchangeItems } from './sections/exchange-items.js';
import { factItems } from './sections/fact-items.js';
import { changedFileItems, otherFileItems } from './sections/file-items.js';
import { ownWordItems } from './sections/own-word-items.js';
import { requestItems } from './sections/request-items.js';
import { stateItems } from './sections/state-items.js';
import { taskItems } from './sections/task-items.js';
import { errorItems, failedItems } from './sections/trouble-items.js';
import { type NameWorth, tellingWorths } from './telling-worths.js';
import { code } from './wording.js';
import { worthsOf } from './worths-of.js';

/** What else is known besides the transcript. */
export interface HandoffSources {
  /** Where the transcript is. */
  readonly transcript?: string | undefined;
  /** What opens the old conversation again. */
  readonly resumeCommand?: string | undefined;
  /** What git says about the folder of the conversation. */
  readonly git?: GitEvidence | undefined;
  /** The handoff that the conversation began from, if known; a handoff in a prompt is found there. */
  readonly earlier?: HandoffDocument | undefined;
}

/** The document of a conversation: every item that is worth telling, in sections, with where it comes from. */
export function buildHandoff(conversation: Ledger, sources: HandoffSources = {}): HandoffDocument {
  const { ledger, handoff } = setHandoffsApart(conversation);
  const earlier = sources.earlier ?? (handoff === undefined ? undefined : readHandoffText(handoff));
  const renewals = earlier === undefined ? 0 : (earlier.conversation.renewals ?? 0) + 1;
  const names = tellingWorths(ledger);
  const own = itemsOf(ledger, sources, { renewals, names });
  const items = earlier === undefined ? own : carryOver(own, earlier, ledger, sources.git);
  const { conversationId, folder, branch, model } = ledger.place;
  return {
    version: 1,
    conversation: {
      ...(conversationId === undefined ? {} : { id: conversationId }),
      ...(folder === undefined ? {} : { folder }),
      ...(branch === undefined ? {} : { branch }),
      ...(model === undefined ? {} : { model }),
      compactions: ledger.compactions,
      ...(renewals === 0 ? {} : { renewals }),
    },
    sections: (Object.keys(items) as SectionId[])
      .map((id) => ({ id, items: allRedacted(items[id]) }))
      .filter((section) => section.items.length > 0),
    names: worthsOf(ledger, names),
  };
}

function itemsOf(
  ledger: Ledger,
  sources: HandoffSources,
  { renewals, names }: { readonly renewals: number; readonly names: readonly NameWorth[] },
): Readonly<Record<SectionId, readonly HandoffItem[]>> {
  const { git } = sources;
  const standing = standingErrors(ledger);
  return {
    request: requestItems(ledger),
    state: stateItems(ledger, git),
    tasks: taskItems(ledger),
    done: doneItems(ledger),
    decisions: decisionItems(ledger),
    'changed-files': changedFileItems(ledger, git),
    'other-files': otherFileItems(ledger, git),
    commands: commandItems(ledger),
    errors: errorItems(ledger, standing),
    failed: failedItems(ledger, standing),
    facts: factItems(ledger, git, names),
    'own-words': ownWordItems(ledger),
    'last-exchange': exchangeItems(ledger),
    rest: restItems(ledger, sources, renewals),
  };
}

/** Text and detail separately: so it is known what remains of the text, independent of what follows. */
export const redacted = (item: HandoffItem): HandoffItem => allRedacted([item])[0] as HandoffItem;

function allRedacted(items: readonly HandoffItem[]): readonly HandoffItem[] {
  const texts = new Set<string>(); // hundreds of items have the same label
  for (const { text, detail, label } of items) {
    texts.add(text);
    if (detail !== undefined) texts.add(detail);
    if (label !== undefined) texts.add(label);
  }
  const distinct = [...texts];
  const safe = safeTexts(distinct);
  const isChanged = distinct.some((text, index) => text !== safe[index]);
  if (!isChanged) return items;
  const byText = new Map(distinct.map((text, index) => [text, safe[index] as string]));
  return items.map((item) => withTexts(item, (text) => byText.get(text) ?? text));
}

function withTexts(item: HandoffItem, safe: (text: string) => string): HandoffItem {
  const text = safe(item.text);
  const detail = item.detail === undefined ? undefined : safe(item.detail);
  const label = item.label === undefined ? undefined : safe(item.label);
  if (text === item.text && detail === item.detail && label === item.label) return item;
  return {
    ...item,
    text,
    ...(detail === undefined ? {} : { detail }),
    ...(label === undefined ? {} : { label }),
  };
}

/** How to look up what this document left out. */
function restItems(
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
