import { redactText } from '@devs/core';
import { type Claim, codeAtStart, partsBetweenCuts, squeezed } from './claims.js';
import type { Case, Verdict } from './judge.js';
import { lastRun, runsOf } from './judge-commands.js';
import { absolute, type Witness } from './witness.js';

/** “The agent said …, and since then …”: the words are the agent's last, and each thing was done after them, as it says. */
export function judgeSince({ text }: Claim, { seen, folder }: Case): readonly Verdict[] {
  const [, words, since] = /^The agent said: “([\s\S]*?)”, and since then ([\s\S]*)\.$/.exec(text) ?? [];
  if (words === undefined || since === undefined) return [];
  return [{ kind: 'said and done since', said: text.slice(0, 240), fault: sinceFault({ words, since, folder }, seen) }];
}

interface Since {
  readonly words: string;
  readonly since: string;
  readonly folder: string;
}

function sinceFault({ words, since, folder }: Since, seen: Witness): string | undefined {
  const parts = partsBetweenCuts(words).map(squeezed);
  const note = seen.notes.findLast(({ text }) => {
    const held = squeezed(redactText(text));
    return parts.every((part) => held.includes(part));
  });
  if (note === undefined) return 'nobody said it';
  if (note !== seen.notes.at(-1)) return 'the agent said something else since';
  const later = seen.calls.filter(({ at, isOwn }) => isOwn && at > note.at);
  const changed = new Set(
    later.flatMap(({ actions, outcome, folder: shell }) =>
      outcome === 'ok'
        ? actions.flatMap((action) => (action.kind === 'change' ? [absolute(action.path, shell)] : []))
        : [],
    ),
  );
  const runs = runsOf({ ...seen, calls: later });
  if (/^took \d+ steps? and changed nothing$/.test(since))
    return changed.size > 0 ? 'a file was changed' : runs.length > 0 ? 'a command ran' : undefined;
  for (const one of since.split(/, (?=changed `|ran `)/)) {
    const shown = codeAtStart(one.replace(/^(?:changed|ran) /, ''));
    if (shown === undefined) return 'says nothing that was done';
    if (one.startsWith('changed')) {
      if (!changed.has(absolute(shown, folder))) return `${shown} was not changed after it`;
      continue;
    }
    const run = lastRun(shown, runs);
    if (run === undefined) return `${shown} did not run after it`;
    if (/ \(ok\)$/.test(one) && run.outcome !== 'ok') return `${shown} was ${run.outcome ?? 'not answered'}`;
    if (/ \(it failed\)$/.test(one) && run.outcome === 'ok') return `${shown} went well`;
  }
  return undefined;
}
