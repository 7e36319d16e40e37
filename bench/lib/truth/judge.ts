import { redactText } from '@devs/core';
import { type Claim, claimsIn, squeezed } from './claims.js';
import { judgeCommand, judgeDone, judgeError, judgeLastCheck } from './judge-commands.js';
import { judgeFile, judgeReason } from './judge-files.js';
import { judgeExcerpt, judgeNames, judgeSearch } from './judge-names.js';
import { judgeSince } from './judge-since.js';
import { judgeAnnouncement, judgeAnswer, judgeRequest, judgeTask, judgeWords, missingParts } from './judge-words.js';
import type { Witness } from './witness.js';

export const KINDS = [
  'request',
  'context of the request',
  'plan',
  'task',
  'path',
  'file state',
  'reason',
  'command',
  'done outside',
  'error',
  'last check',
  'announcement',
  'said and done since',
  'answer',
  'words',
  'search',
  'name',
  'excerpt',
  'said once',
] as const;

type Kind = (typeof KINDS)[number];

/** One thing that a handoff says or must say; `fault` is why it is not so. */
export interface Verdict {
  readonly kind: Kind;
  readonly said: string;
  readonly fault: string | undefined;
}

/** The document with what happened, and all that is asked of both again and again. */
export interface Case {
  readonly claims: readonly Claim[];
  readonly document: string;
  readonly seen: Witness;
  /** Where the document says that the work is. */
  readonly folder: string;
  /** All texts of the conversation, as they may be shown. */
  readonly text: string;
  readonly squeezedText: string;
}

/** Every line of a handoff that claims something, looked up in the conversation. */
export function judge(document: string, seen: Witness): readonly Verdict[] {
  const claims = claimsIn(document);
  const text = redactText(seen.texts.join('\n'));
  const folder = /The work is in `([^`]+)`/.exec(document)?.[1] ?? seen.folder;
  const one: Case = { claims, document, seen, folder, text, squeezedText: squeezed(text) };
  return [...missingParts(one), ...claims.flatMap((claim) => verdictsOn(claim, one)), ...saidTwice(one)];
}

function verdictsOn(claim: Claim, one: Case): readonly Verdict[] {
  switch (claim.section) {
    case 'request':
      return judgeRequest(claim, one);
    case 'state':
      return [...judgeAnnouncement(claim, one), ...judgeSince(claim, one), ...judgeLastCheck(claim, one)];
    case 'tasks':
      return judgeTask(claim, one);
    case 'decisions':
      return [...judgeAnswer(claim, one), ...judgeWords(claim, one)];
    case 'changed-files':
    case 'other-files':
      return [...judgeFile(claim, one), ...judgeReason(claim, one)];
    case 'commands':
      return judgeCommand(claim, one);
    case 'done':
      return judgeDone(claim, one);
    case 'errors':
      return judgeError(claim, one);
    case 'facts':
      return [...judgeSearch(claim, one), ...judgeNames(claim, one)];
    case 'own-words':
      return judgeWords(claim, one);
    case 'last-exchange':
      return judgeExcerpt(claim, one);
    default:
      return [];
  }
}

/** Lines that say the same; the name of the conversation, which is needed once. */
function saidTwice({ claims, document, seen }: Case): readonly Verdict[] {
  const told = new Set<string>();
  const lines = claims
    .filter(({ form, text }) => form === 'line' && text.length >= LONG_ENOUGH)
    .map(({ text }): Verdict => {
      const words = /^(?:[^`]*: )?“(.{20,})”$/s.exec(text)?.[1] ?? text;
      const key = squeezed(words);
      const fault = told.has(key) ? 'stands there already' : undefined;
      told.add(key);
      return { kind: 'said once', said: text, fault };
    });
  const ids = seen.conversationId === '' ? 0 : document.split(seen.conversationId).length - 1;
  const id: Verdict = { kind: 'said once', said: 'the id', fault: ids > 1 ? `stands there ${ids} times` : undefined };
  return ids === 0 ? lines : [...lines, id];
}

const LONG_ENOUGH = 20;
