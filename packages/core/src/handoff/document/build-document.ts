import { redactText } from '../../redaction/redact-text.js';
import type { Ledger } from '../ledger/ledger.js';
import type { HandoffDocument, HandoffItem, SectionId } from './handoff-document.js';
import { commandItems } from './sections/command-items.js';
import { decisionItems } from './sections/decision-items.js';
import { exchangeItems } from './sections/exchange-items.js';
import { factItems } from './sections/fact-items.js';
import { changedFileItems, otherFileItems } from './sections/file-items.js';
import { ownWordItems } from './sections/own-word-items.js';
import { requestItems } from './sections/request-items.js';
import { restItems } from './sections/rest-items.js';
import { stateItems } from './sections/state-items.js';
import { taskItems } from './sections/task-items.js';
import { errorItems, failedItems } from './sections/trouble-items.js';
import { worthsOf } from './worths-of.js';

/** What else is known besides the transcript. */
export interface HandoffSources {
  /** Where the transcript is. */
  readonly transcript?: string | undefined;
  /** What opens the old conversation again. */
  readonly resumeCommand?: string | undefined;
}

/** The document of a conversation: every item that is worth telling, in sections, with where it comes from. */
export function buildHandoff(ledger: Ledger, sources: HandoffSources = {}): HandoffDocument {
  const { conversationId, folder, branch, model } = ledger.place;
  const items: Readonly<Record<SectionId, readonly HandoffItem[]>> = {
    request: requestItems(ledger),
    state: stateItems(ledger),
    tasks: taskItems(ledger),
    decisions: decisionItems(ledger),
    'changed-files': changedFileItems(ledger),
    'other-files': otherFileItems(ledger),
    commands: commandItems(ledger),
    errors: errorItems(ledger),
    failed: failedItems(ledger),
    facts: factItems(ledger),
    'own-words': ownWordItems(ledger),
    'last-exchange': exchangeItems(ledger),
    rest: restItems(ledger, sources),
  };
  return {
    version: 1,
    conversation: {
      ...(conversationId === undefined ? {} : { id: conversationId }),
      ...(folder === undefined ? {} : { folder }),
      ...(branch === undefined ? {} : { branch }),
      ...(model === undefined ? {} : { model }),
      compactions: ledger.compactions,
    },
    sections: (Object.keys(items) as SectionId[])
      .map((id) => ({ id, items: items[id].map(redacted) }))
      .filter((section) => section.items.length > 0),
    names: worthsOf(ledger),
  };
}

const redacted = (item: HandoffItem): HandoffItem => ({ ...item, text: redactText(item.text) });
