import { redactText } from '@devs/core';
import { type Claim, codeAtStart, partsBetweenCuts, squeezed } from './claims.js';
import type { Case, Verdict } from './judge.js';
import { changesOutside, checks, didTheSame, isSame, linesOf, onlyLooks } from './shell.js';
import type { Witness } from './witness.js';

export interface Run {
  readonly at: number;
  readonly script: string;
  readonly outcome: 'ok' | 'failed' | 'refused' | undefined;
  readonly text: string;
}

export const runsOf = ({ calls }: Witness): readonly Run[] =>
  calls.flatMap(({ at, actions, outcome, text }) =>
    actions.flatMap((action) => (action.kind === 'command' ? [{ at, script: action.command, outcome, text }] : [])),
  );

/** The last run of what is shown, which may have been cut and is without its comments. */
export function lastRun(shown: string, runs: readonly Run[]): Run | undefined {
  const parts = partsBetweenCuts(shown).map(bare);
  return runs.findLast(({ script }) => {
    const whole = bare(linesOf(script).join('\n'));
    const raw = bare(script);
    const [first = ''] = parts;
    const isCut = shown.includes('[…]');
    const matches = (text: string) => (isCut ? text.startsWith(first) : text === first);
    return matches(whole) || matches(raw);
  });
}

const bare = (text: string): string => text.replace(/[\s`']+/g, '');

/** It ran, its last run succeeded, and it may be run again. */
export function judgeCommand({ form, text }: Claim, { seen }: Case): readonly Verdict[] {
  const shown = form === 'quote' ? text : codeAtStart(text);
  if (shown === undefined) return [];
  return [{ kind: 'command', said: shown, fault: commandFault(shown, runsOf(seen)) }];
}

function commandFault(shown: string, runs: readonly Run[]): string | undefined {
  const run = lastRun(shown, runs);
  if (run === undefined) return 'never ran';
  if (run.outcome !== 'ok') return `the last time it was ${run.outcome ?? 'not answered'}`;
  const isFailedLater = ({ at, script, text }: Run) => at > run.at && isSame(script, run.script) && FAILED.test(text);
  if (runs.some(isFailedLater)) return 'a later run of it failed, though its pipe hides that';
  if (/^\s*#/.test(shown)) return 'begins with a comment';
  if (linesOf(run.script).length > 1 && linesOf(shown).length === 1 && !shown.includes('[…]'))
    return 'several lines stand in one';
  if (changesOutside(run.script)) return 'changes something outside';
  return onlyLooks(run.script) ? 'only looks' : undefined;
}

/** As runners of tests and tasks say it. */
const FAILED = /^(?:--- )?FAIL\b|\bERROR task failed/m;

/** It ran and went well, it changes something outside, and the result that is shown is its own. */
export function judgeDone({ form, label, text }: Claim, { seen }: Case): readonly Verdict[] {
  const shown = form === 'quote' ? text : codeAtStart(text);
  if (shown === undefined) return [];
  const about = form === 'quote' ? label : text.slice(shown.length);
  return [{ kind: 'done outside', said: text.slice(0, 240), fault: doneFault({ shown, about }, runsOf(seen)) }];
}

function doneFault({ shown, about }: { shown: string; about: string }, runs: readonly Run[]): string | undefined {
  const run = lastRun(shown, runs);
  if (run === undefined) return 'never ran';
  if (run.outcome !== 'ok') return `the last time it was ${run.outcome ?? 'not answered'}`;
  if (!changesOutside(run.script)) return 'changes nothing outside';
  if (/^(?:fatal:|error:| ! \[rejected\]|HTTP [45]\d\d)/m.test(run.text)) return 'its result reports a failure';
  const result = /: (`` .* ``|`[^`]*`)$/s.exec(about)?.[1];
  const [start = ''] = partsBetweenCuts(result?.replace(/^`+ ?| ?`+$/g, '') ?? '').map(squeezed);
  return squeezed(redactText(run.text)).includes(start) ? undefined : 'the result is not its own';
}

/** Nothing later succeeded at the same thing. */
export function judgeError({ text }: Claim, { seen }: Case): readonly Verdict[] {
  const shown = codeAtStart(text);
  if (shown === undefined) return [];
  const runs = runsOf(seen);
  const failed = lastRun(shown, runs);
  const fault = failed === undefined ? changeFault(shown, seen) : errorFault(failed, runs);
  return [{ kind: 'error', said: text.slice(0, 240), fault }];
}

function errorFault(failed: Run, runs: readonly Run[]): string | undefined {
  if (failed.outcome === 'ok' && !/fail|error/i.test(failed.text)) return 'went well the last time';
  const later = runs.filter(({ at, outcome }) => at > failed.at && outcome === 'ok');
  const well = later.filter(({ text }) => !/\bFAIL|\bfailed\b|\berror\b/i.test(text)).map(({ script }) => script);
  return didTheSame(failed.script, well) ? 'the same succeeded later' : undefined;
}

function changeFault(shown: string, { calls }: Witness): string | undefined {
  const path = / of (.+)$/.exec(shown)?.[1]?.replace(/\s*\[…\]$/, '');
  const tries = calls.filter(({ actions }) =>
    actions.some(
      (action) => (action.kind === 'change' || action.kind === 'read') && action.path.endsWith(path ?? '\n'),
    ),
  );
  if (tries.length === 0) return 'was never tried';
  return tries.at(-1)?.outcome === 'ok' ? 'the same succeeded later' : undefined;
}

/** It is the last of the checks, and ended as it says. */
export function judgeLastCheck({ text }: Claim, { seen }: Case): readonly Verdict[] {
  const [, rest] = /^Checked last with (.*)$/s.exec(text) ?? [];
  const shown = rest === undefined ? undefined : codeAtStart(rest);
  if (rest === undefined || shown === undefined) return [];
  const runs = runsOf(seen).filter(({ outcome }) => outcome !== 'refused');
  const run = lastRun(shown, runs);
  const said = rest.slice(0, 200);
  if (run === undefined) return [{ kind: 'last check', said, fault: 'never ran' }];
  const later = runs.find(({ at, script }) => at > run.at && checks(script) && !didTheSame(script, [run.script]));
  const isOk = /: ok\b/.test(rest.slice(shown.length));
  const fault =
    later !== undefined
      ? `a later check is ${later.script.slice(0, 80)}`
      : isOk && run.outcome === 'failed'
        ? 'it failed'
        : undefined;
  return [{ kind: 'last check', said, fault }];
}
