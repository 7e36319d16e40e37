import { type Claim, codeAtStart, squeezed } from './claims.js';
import type { Case, Verdict } from './judge.js';
import { absolute, type Touch, touchesOf } from './witness.js';

/** The path exists in a call; what is said of reads and changes is so; it stands in one list only. */
export function judgeFile({ section, text }: Claim, { claims, seen, folder }: Case): readonly Verdict[] {
  const path = codeAtStart(text);
  if (path === undefined) return [];
  const place = absolute(path, folder);
  const touches = touchesOf(seen, place);
  const others = claims.filter((other) => {
    const another = /files$/.test(other.section) ? codeAtStart(other.text) : undefined;
    return another !== undefined && absolute(another, folder) === place;
  });
  const missing = touches.length === 0 ? `no call touched ${place}` : undefined;
  const fault = missing ?? (others.length > 1 ? 'stands in the lists twice' : undefined);
  const said = text.slice(0, 200);
  const state: Verdict = { kind: 'file state', said, fault: stateFault(section, text, touches) };
  return [{ kind: 'path', said: path, fault }, ...(missing === undefined ? [state] : [])];
}

function stateFault(section: Claim['section'], text: string, touches: readonly Touch[]): string | undefined {
  const all = touches.filter((touch) => touch.kind === 'change');
  // A file that got its name by a move was changed as often as it was edited.
  const changes = all.filter(({ how }) => how !== 'moved' || text.includes('moved'));
  if (section === 'other-files')
    return changes.length > 0 ? `was changed ${changes.length} times` : readFault(text, touches);
  if (changes.length === 0) return 'was never changed';
  const detail = text.split('; why:')[0] ?? text;
  const sinceWritten = changes.slice(changes.findLastIndex(({ how }) => how === 'written'));
  const isWritten = sinceWritten[0]?.how === 'written';
  const since = countIn(/changed (once|twice|\d+ times) since/.exec(detail)?.[1]) ?? 0;
  if (/written whole/.test(detail)) {
    if (!isWritten) return 'was never written whole';
    return since === sinceWritten.length - 1 ? undefined : `was changed ${sinceWritten.length - 1} times since`;
  }
  const edits = countIn(/edited (once|twice|\d+ times)/.exec(detail)?.[1]);
  if (edits !== undefined && edits !== changes.length) return `was changed ${changes.length} times`;
  return readFault(detail, touches);
}

function readFault(text: string, touches: readonly Touch[]): string | undefined {
  const reads = touches.filter((touch) => touch.kind === 'read');
  const count = countIn(/read (?:whole )?(once|twice|\d+ times)/.exec(text)?.[1]) ?? (/\bread\b/.test(text) ? 1 : 0);
  if (text.includes(': ') && count > 0 && count !== reads.length) return `was read ${reads.length} times`;
  const last = /lines (\d+)–(\d+)/.exec(text);
  const range = reads.at(-1)?.lines;
  if (last !== null && String(range?.first) !== last[1]) return 'was read last at other lines';
  return undefined;
}

function countIn(words: string | undefined): number | undefined {
  if (words === undefined) return undefined;
  return words === 'once' ? 1 : words === 'twice' ? 2 : Number.parseInt(words, 10);
}

/** Says why, was said, and is not said of its neighbours, too. */
export function judgeReason({ text }: Claim, { claims, squeezedText }: Case): readonly Verdict[] {
  const reason = /; why: “([\s\S]*)”$/.exec(text)?.[1];
  if (reason === undefined) return [];
  const first = claims.find((other) => other.text.includes(`; why: “${reason}”`));
  const start = squeezed(reason.split('[…]')[0] ?? '');
  const fault = !squeezedText.includes(start)
    ? 'nobody said it'
    : EMPTY.test(reason)
      ? 'is no reason'
      : first?.text !== text
        ? 'is the reason of another file, too'
        : undefined;
  return [{ kind: 'reason', said: reason, fault }];
}

const EMPTY =
  /^(?:(?:now|next|first|then|good|great|ok(?:ay)?|perfect|also),? )*(?:let me|I['’]ll|I will|I need to|let['’]s) (?:also |now |first |just )*(?:read|look|check|see|explore|view|find|search|examine|understand|verify|continue|start|begin)\b/i;
