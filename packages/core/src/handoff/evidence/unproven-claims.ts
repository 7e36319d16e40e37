import type { Provenance } from '../../conversation/provenance.js';
import { cutAtEnd } from '../../text/cut-text.js';
import { isAnnouncement, oneLine, sentencesIn } from '../document/wording.js';
import type { Ledger, LedgerTask, Said } from '../ledger/ledger.js';
import { changedAfter, isCheck, lastCheck, wentWell } from './checks.js';
import type { GitEvidence } from './git-evidence.js';

/** Something is said to be done, and nothing that happened bears it out. */
export interface UnprovenClaim {
  readonly claim: string;
  readonly by: 'task' | 'words';
  /** What would have proven it, and is not there. */
  readonly lack: string;
  readonly from: Provenance;
}

/** Of the tasks that are marked as finished, and of the agent's last words. */
export function unprovenClaims(ledger: Ledger, git: GitEvidence | undefined): readonly UnprovenClaim[] {
  const done = [...ledger.tasks.values()].filter(({ status }) => status === 'completed');
  return [...done.flatMap((task) => claimOfTask(task, ledger, git)), ...claimOfWords(ledger)].slice(-MAX_CLAIMS);
}

const MAX_CLAIMS = 6;

function claimOfTask(
  { title, from }: LedgerTask,
  ledger: Ledger,
  git: GitEvidence | undefined,
): readonly UnprovenClaim[] {
  const lack = lackOf(title, ledger, git);
  return lack === undefined ? [] : [{ claim: title, by: 'task', lack, from }];
}

function lackOf(title: string, ledger: Ledger, git: GitEvidence | undefined): string | undefined {
  const ran = [...ledger.commands.values()].filter(wentWell);
  if (/^(?:git )?(?:commit|push)\b/i.test(title)) return commitLack(title, ledger, git);
  if (/^(?:re-?)?(?:run|verify|check|test)\b.*\b(?:tests?|lint|build|check|suite|typecheck)\b/i.test(title))
    return ran.some(isCheck) ? undefined : NO_CHECK;
  const isWork = /^(?:fix|add|implement|write|create|update|remove|delete|rename|refactor|change|replace|move)\b/i.test(
    title,
  );
  const didAnything = ran.length > 0 || [...ledger.files.values()].some(({ changes }) => changes > 0);
  return isWork && !didAnything ? 'no file was changed and no command succeeded in this conversation' : undefined;
}

const NO_CHECK = 'no check succeeded in this conversation';

function commitLack(
  title: string,
  { commands, firstRequest }: Ledger,
  git: GitEvidence | undefined,
): string | undefined {
  const ran = [...commands.values()].filter(({ outcome }) => outcome === 'ok').map(({ command }) => command);
  const isPush = /\bpush\b/i.test(title);
  if (isPush && (git?.upstream?.ahead ?? 0) > 0) return 'git has commits that are not pushed';
  const done = isPush ? /\bgit\b.*\bpush\b|\bgh pr create\b/s : /\bgit\b.*\bcommit\b/s;
  if (ran.some((command) => done.test(command))) return undefined;
  const began = firstRequest?.from.at;
  const isInLog =
    !isPush && began !== undefined && (git?.commits.some(({ at }) => Date.parse(at) >= Date.parse(began)) ?? false);
  return isInLog ? undefined : `no ${isPush ? 'push' : 'commit'} was seen`;
}

/** “All tests pass now.” counts for what was there when they ran. */
function claimOfWords(ledger: Ledger): readonly UnprovenClaim[] {
  const last = ledger.notes.at(-1);
  const claim = last === undefined ? undefined : claimIn(last);
  if (last === undefined || claim === undefined) return [];
  const lack = lackOfWords(claim, ledger);
  return lack === undefined ? [] : [{ claim, by: 'words', lack, from: last.from }];
}

function lackOfWords(claim: string, ledger: Ledger): string | undefined {
  const checks = [...ledger.commands.values()].filter(({ outcome }) => outcome !== 'refused').filter(isCheck);
  const proven = Math.max(0, ...checks.filter(wentWell).map(({ step }) => step));
  const [changed] = changedAfter(ledger, proven);
  if (changed !== undefined) return `no check has succeeded since \`${changed}\` was changed`;
  if (!ABOUT_CHECKS.test(claim)) return undefined;
  if (proven === 0) return NO_CHECK;
  const last = lastCheck(ledger);
  return last === undefined || last.outcome === 'running' || wentWell(last)
    ? undefined
    : `the last check, \`${oneLine(cutAtEnd(last.command, MAX_COMMAND_LENGTH))}\`, did not succeed`;
}

const MAX_COMMAND_LENGTH = 80;
const ABOUT_CHECKS = /\b(?:tests?|specs?|suite|checks?|lint|build)\b/i;

const claimIn = ({ text }: Said): string | undefined =>
  sentencesIn(text).find((sentence) => DONE.test(sentence) && !isAnnouncement(sentence) && !HEDGED.test(sentence));

const DONE =
  /\b(?:(?:tests?|specs?|checks) (?:now |all |are )*(?:pass(?:es|ing|ed)?|green)|(?:is|are|all|everything(?: is)?) (?:now )?(?:done|complete|completed|finished|implemented|fixed|resolved|working)|works now|successfully)\b/i;
const HEDGED = /\b(?:not|n['’]t|if|once|when|will|should|until|before|still)\b|\?$/i;
