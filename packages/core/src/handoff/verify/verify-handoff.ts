import { redactText } from '../../redaction/redact-text.js';
import type { HandoffDocument, HandoffItem, SectionId } from '../document/handoff-document.js';
import { taskItems } from '../document/sections/task-items.js';
import { errorItems } from '../document/sections/trouble-items.js';
import type { Ledger } from '../ledger/ledger.js';

/** What really happened, as far as it can be checked without trusting the agent. */
export interface HandoffEvidence {
  readonly ledger: Ledger;
  /** The files that git reports as changed, from the folder of the conversation. */
  readonly changedFiles?: readonly string[];
}

/** Something that the document must say and does not; `item` says it. */
export interface MissingItem {
  readonly what: 'last-request' | 'open-task' | 'changed-file' | 'unresolved-error' | 'redaction';
  readonly section: SectionId;
  readonly item: HandoffItem;
}

/** What the document lacks of what is known to be so; nothing where it is complete. */
export function verifyHandoff(document: HandoffDocument, evidence: HandoffEvidence): readonly MissingItem[] {
  return [...wanted(evidence), ...unredacted(document)].filter(
    ({ what, section, item }) => what === 'redaction' || !holds(document, section, item),
  );
}

function wanted({ ledger, changedFiles = [] }: HandoffEvidence): readonly MissingItem[] {
  const last = ledger.requests.at(-1);
  return [
    ...(last === undefined ? [] : [missing('last-request', 'request', lastRequest(last))]),
    ...taskItems(ledger)
      .filter(({ required }) => required)
      .map((item) => missing('open-task', 'tasks', item)),
    ...changedFiles.map((path) => missing('changed-file', 'changed-files', changedFile(path))),
    ...errorItems(ledger).map((item) => missing('unresolved-error', 'errors', item)),
  ];
}

/** Redacted and required: what was found missing must be seen, and must not bring a secret in. */
const missing = (what: MissingItem['what'], section: SectionId, item: HandoffItem): MissingItem => ({
  what,
  section,
  item: { ...item, text: redactText(item.text), required: true },
});

const lastRequest = ({ text, from }: Ledger['requests'][number]): HandoffItem => ({
  form: 'quote',
  text: text.trim(),
  label: 'The last request, verbatim:',
  from: [from],
  worth: 100,
  share: 0.3,
});

const changedFile = (path: string): HandoffItem => ({
  form: 'line',
  text: `\`${path}\`: changed, as git reports`,
  from: [{ line: 0, id: 'git' }],
  worth: 20,
});

/** Said in its section: a changed file by its path, anything else by its text. */
function holds({ sections }: HandoffDocument, section: SectionId, { text }: HandoffItem): boolean {
  const subject = section === 'changed-files' ? text.slice(0, text.indexOf('`:') + 2) : text;
  return sections.some(({ id, items }) => id === section && items.some((item) => item.text.includes(subject)));
}

function unredacted({ sections }: HandoffDocument): readonly MissingItem[] {
  return sections.flatMap(({ id, items }) =>
    items.filter(({ text }) => redactText(text) !== text).map((item) => missing('redaction', id, item)),
  );
}
