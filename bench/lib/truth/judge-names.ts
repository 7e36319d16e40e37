import { type Claim, codesIn, squeezed } from './claims.js';
import type { Case, Verdict } from './judge.js';
import { absolute } from './witness.js';

/** What was searched for, and how much was found. */
export function judgeSearch({ text }: Claim, { seen }: Case): readonly Verdict[] {
  if (!text.startsWith('Searched')) return [];
  const pattern = codesIn(text.replace(/^Searched in (?:`` .*? ``|`[^`]+`)/, '')).at(0) ?? '';
  const found = seen.calls.filter(({ actions }) =>
    actions.some((action) => action.kind === 'search' && squeezed(action.pattern).startsWith(squeezed(pattern))),
  );
  const says = /(\d+) lines? found/.exec(text)?.[1];
  const nothing = /nothing found/.test(text);
  const isSo = found.some(({ text: result, outcome }) => {
    const lines = result.split('\n').filter((line) => line.trim() !== '').length;
    const isEmpty = lines === 0 || /^(?:No (?:matches|files) found|Found 0)/.test(result) || outcome === 'failed';
    return nothing ? isEmpty : says === undefined || (!isEmpty && lines === Number(says));
  });
  const fault = found.length === 0 ? 'was never searched for' : isSo ? undefined : 'found something else';
  return [{ kind: 'search', said: text.slice(0, 200), fault }];
}

/** Each name was seen, whole, as a name, and where it says. */
export function judgeNames({ text }: Claim, one: Case): readonly Verdict[] {
  const lead = /^(?:Seen in (?:`` .*? ``|`[^`]+`)|Names that came up): /.exec(text)?.[0];
  if (lead === undefined) return [];
  return codesIn(text.slice(lead.length)).map((name) => ({ kind: 'name', said: name, fault: nameFault(name, one) }));
}

function nameFault(name: string, { seen, text, folder }: Case): string | undefined {
  const places = occurrences(name, text);
  if (places.length === 0) return text.includes(absolute(name, folder)) ? undefined : 'was never seen';
  if (places.every((at) => text[at - 1] === '\\')) return 'is broken by an escape';
  if (
    /^[a-z]+(?:\/[a-z]+)+$/i.test(name) &&
    !/^(?:origin|upstream|refs|feature|fix|feat)\//.test(name) &&
    !isPath(name, seen)
  )
    return 'is two words';
  const isField = places.every((at) => {
    const [before, after] = [text.slice(at - 2, at), text.slice(at + name.length, at + name.length + 2)];
    return (
      (/"$/.test(before) && /^":?/.test(after) && after !== '",') || (/<\/?$/.test(before) && after.startsWith('>'))
    );
  });
  return isField && /^[a-z]+(?:_[a-z]+)+$/.test(name) && !isInCalls(name, seen) ? 'is the name of a field' : undefined;
}

function occurrences(name: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(name); at !== -1 && places.length < MOST; at = text.indexOf(name, at + 1)) places.push(at);
  return places;
}

const MOST = 50;

/** It is a part of a path that a call or a result names. */
const isPath = (name: string, { calls, texts }: Case['seen']): boolean =>
  calls.some(({ actions }) => actions.some((action) => JSON.stringify(action).includes(name))) ||
  texts.some((text) => new RegExp(`(?:[./~]|^)\\/?${name}[/.]|\\/${name}\\b`, 'm').test(text));

const isInCalls = (name: string, { calls }: Case['seen']): boolean =>
  calls.some(({ actions }) => actions.some((action) => JSON.stringify(action).includes(name)));

/** Lines stand there as they were printed, and none alone between two gaps. */
export function judgeExcerpt({ label, text }: Claim, { squeezedText }: Case): readonly Verdict[] {
  const lines = text.split('\n');
  if (!/result/.test(label)) return [];
  return lines.flatMap((line, at): readonly Verdict[] => {
    if (line === '…' || line.trim() === '') return [];
    const isAlone = (lines[at - 1] ?? '…') === '…' && (lines[at + 1] ?? '…') === '…';
    const isSaid = squeezedText.includes(squeezed(line));
    const isWhole = lines.length === 1;
    const fault = !isSaid ? 'was never printed' : isAlone && !isWhole ? 'stands alone' : undefined;
    return [{ kind: 'excerpt', said: line, fault }];
  });
}
