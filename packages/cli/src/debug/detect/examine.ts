import {
  type CutIn,
  type Detection,
  detect,
  type EnvelopeProblem,
  type JsonScan,
  JsonScanner,
  parseSaopEnvelope,
  resumePoint,
} from '@devs/core';

/** The protocol's view of a text. Offsets and lengths count UTF-16 units; lines and columns begin at 1. */
export interface Examination {
  readonly characters: number;
  readonly stopReason?: string;
  /** The text was examined without the line break at its end, which `echo` and editors add. */
  readonly finalLineBreak?: 'left-out';
  readonly verdict: Verdict;
  readonly envelope:
    | { readonly valid: true }
    | { readonly valid: false; readonly problems: readonly EnvelopeProblem[] };
  /** What the turn executor would do with such an answer. */
  readonly next: Next;
}

export type Verdict =
  | { readonly kind: 'complete'; readonly start: number; readonly end: number; readonly textAfter: boolean }
  | { readonly kind: 'cut-off'; readonly cutIn: CutIn; readonly lastValidToken: Kept; readonly resumablePrefix: Kept }
  | { readonly kind: 'malformed'; readonly at: Place; readonly before: string; readonly after: string }
  | { readonly kind: 'no-json' }
  | { readonly kind: 'nothing-arrived' };

/** The text so far, by its length and its end. */
interface Kept {
  readonly characters: number;
  readonly tail: string;
}

interface Place {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export type Next =
  | { readonly kind: 'carry-out' }
  | { readonly kind: 'resume'; readonly from: Kept }
  | { readonly kind: 'correct' };

const TAIL_CHARS = 160;

export function examine(given: string, stopReason?: string): Examination {
  const text = withoutStrayLineBreak(given);
  const detection = detect(text, { stopReason });
  const parsed = parseSaopEnvelope(text);
  return {
    characters: text.length,
    ...(stopReason !== undefined && { stopReason }),
    ...(text !== given && { finalLineBreak: 'left-out' as const }),
    verdict: verdictOn(text, detection, stopReason),
    envelope: parsed.valid ? { valid: true } : parsed,
    next: nextStep(detection, parsed.valid),
  };
}

function verdictOn(text: string, detection: Detection, stopReason: string | undefined): Verdict {
  const scan = scanOf(text, stopReason);
  if (detection.partial) {
    if (scan.status === 'absent') return { kind: 'nothing-arrived' };
    const { cutIn, lastValidToken, resumablePrefix } = detection;
    return { kind: 'cut-off', cutIn, lastValidToken: kept(lastValidToken), resumablePrefix: kept(resumablePrefix) };
  }
  if (scan.status === 'complete') {
    return { kind: 'complete', start: scan.start, end: scan.end, textAfter: scan.after === 'text' };
  }
  if (scan.status !== 'malformed') return { kind: 'no-json' };
  return {
    kind: 'malformed',
    at: placeOf(text, scan.at),
    before: text.slice(Math.max(scan.start, scan.at - TAIL_CHARS), scan.at),
    after: text.slice(scan.at, scan.at + TAIL_CHARS),
  };
}

/** Inside a string a line break is an error; at the very end of a cut-off text it is most likely not the model's. */
function withoutStrayLineBreak(text: string): string {
  const stripped = text.replace(/\r?\n$/, '');
  const scan = scanOf(text);
  return scan.status === 'malformed' && scan.at === stripped.length && stripped !== text ? stripped : text;
}

function scanOf(text: string, stopReason?: string): JsonScan {
  const scanner = new JsonScanner();
  scanner.write(text);
  return scanner.end({ stopReason });
}

function nextStep(detection: Detection, valid: boolean): Next {
  if (detection.partial && detection.lastValidToken !== '') {
    return { kind: 'resume', from: kept(resumePoint(detection).prefix) };
  }
  return { kind: valid ? 'carry-out' : 'correct' };
}

const kept = (text: string): Kept => ({ characters: text.length, tail: text.slice(-TAIL_CHARS) });

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { offset, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
