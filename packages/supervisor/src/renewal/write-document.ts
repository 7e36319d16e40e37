import {
  buildMinimalState,
  type CheckedItem,
  checkedItems,
  generateSyntheticContextHandoff,
  type HandoffDocument,
  type HandoffGap,
  type HandoffItem,
  type MinimalState,
  prepareHandoff,
  readHandoffText,
  smallestBudget,
  tellHandoff,
} from '@devs/core';
import type { Supervision } from '../supervision.js';
import { type Evidence, gatherEvidence } from './gather-evidence.js';

export interface WrittenDocument {
  readonly text: string;
  /** What it tells, as data, for the handoff after it. */
  readonly told: HandoffDocument;
  /** What the first draft lacked, for people. */
  readonly added: readonly string[];
  /** What the verification looked for, each with the line that carries it. */
  readonly checked: readonly CheckedItem[];
  /** Nothing was missing, and there was a transcript to draw from. */
  readonly isEnough: boolean;
}

/** The handoff of an agent's conversation: from its transcript, git, the store and its own words; verified and completed. */
export async function writeDocument(
  supervision: Supervision,
  agentId: string,
  words?: string,
): Promise<WrittenDocument> {
  const evidence = await gatherEvidence(supervision, agentId);
  const { source } = supervision;
  const { conversationId, earlier } = knownOf(supervision, agentId);
  const held = await taskItem(supervision);
  const { document, gaps } = prepareHandoff(evidence, {
    transcript: evidence.transcript,
    resumeCommand: conversationId === undefined ? undefined : source?.resumeCommand(conversationId),
    earlier,
    blocked: await blockedFor(supervision),
    known: (built) => {
      const own = wordsItem(supervision, built, evidence, words);
      return { ...(held === undefined ? {} : { tasks: held }), ...(own === undefined ? {} : { 'own-words': own }) };
    },
    budget: supervision.budget,
  });
  const { text, told } = tellHandoff(document, roomFor(document, supervision));
  return {
    text,
    told,
    added: gaps.map(describe),
    checked: checkedItems(text, evidence),
    isEnough: gaps.length === 0 && evidence.transcript !== undefined,
  };
}

interface KnownBefore {
  readonly conversationId?: string | undefined;
  readonly earlier?: HandoffDocument | undefined;
}

/** Of the conversation that this agent holds, by the record. */
function knownOf({ record }: Supervision, agentId: string): KnownBefore {
  const { agent } = record.facts;
  if (agent?.agentId !== agentId) return {};
  const { conversationId, document, told } = agent;
  // Records of older versions hold the text alone.
  return { conversationId, earlier: told ?? (document === undefined ? undefined : readHandoffText(document)) };
}

async function taskItem({ store, task }: Supervision): Promise<HandoffItem | undefined> {
  if (task === undefined) return undefined;
  const found = await store.tasks.get(task.id);
  if (found === undefined) return undefined;
  const about = found.description === undefined ? '' : `: ${found.description}`;
  return line(`Task ${found.id} of the queue, which you hold: ${found.intent}${about}`);
}

async function blockedFor({ store, task }: Supervision): Promise<NonNullable<MinimalState['blocked_tasks']>> {
  const { blocked_tasks = [] } = buildMinimalState(await store.state());
  return blocked_tasks.filter(({ task_id }) => task_id !== task?.id);
}

/** The agent's own, unless they are in the transcript and so in the document; where nothing else is known, what it showed last. */
function wordsItem(
  { agentProcess }: Supervision,
  built: HandoffDocument,
  { transcript }: Evidence,
  words: string | undefined,
): HandoffItem | undefined {
  if (words !== undefined) return isTold(built, words) ? undefined : quote(OWN_HANDOFF, words);
  if (transcript !== undefined) return undefined;
  const shown = agentProcess.agent?.screenText() ?? '';
  return shown.trim() === '' ? undefined : quote(SHOWN_LAST, generateSyntheticContextHandoff(shown));
}

const OWN_HANDOFF = 'What the agent wrote down for its successor:';
const SHOWN_LAST = 'What the agent showed last:';

const isTold = ({ sections }: HandoffDocument, words: string): boolean =>
  sections.some(({ items }) => items.some(({ text }) => withoutSpace(text) === withoutSpace(words)));

const withoutSpace = (text: string) => text.replace(/\s+/g, '');

const line = (text: string): HandoffItem => ({ form: 'line', text, from: [], worth: 50, required: true });

const quote = (label: string, text: string): HandoffItem => ({
  form: 'quote',
  label,
  text,
  from: [],
  worth: 50,
  required: true,
  share: 0.4,
});

/** Everything that is required must stand in it, however small the budget is. */
function roomFor(document: HandoffDocument, { budget }: Supervision) {
  return 'chars' in budget
    ? { chars: Math.max(budget.chars, smallestBudget(document, 'chars')) }
    : { tokens: Math.max(budget.tokens, smallestBudget(document, 'tokens')) };
}

const describe = (fault: HandoffGap): string =>
  fault.kind === 'missing' ? `${fault.what}: ${fault.item.text.slice(0, 120)}` : fault.kind;
