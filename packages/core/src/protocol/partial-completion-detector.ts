import { type JsonScan, JsonScanner } from './json/json-scanner.js';
import type { CutIn } from './json/json-value-scanner.js';
import { scanJson } from './json/scan-json.js';
import { isCutOff } from './model-answer.js';

export interface DetectOptions {
  /** What the provider gave as the reason why the answer ended, e.g. `max_tokens`, `length`, `end_turn`. */
  readonly stopReason?: string | undefined;
}

/**
 * A cut-off answer, and the two places where it can be taken up again.
 *
 * `lastValidToken` is the text up to the last complete token. `resumablePrefix` may go further, into a string that
 * was being written, so that a string longer than the model's output limit can be finished at all.
 */
export interface PartialCompletion {
  readonly partial: true;
  readonly lastValidToken: string;
  readonly resumablePrefix: string;
  readonly cutIn: CutIn;
}

export type Detection = { readonly partial: false } | PartialCompletion;

/**
 * Tells an answer that was cut off from one that is complete, or complete but wrong: only the first can be resumed.
 *
 * What each kind of text gives is listed in `partial-completion-detector.agent.md`.
 */
// REQ: 3_MCP-TAS-072
export function detect(rawResponse: string, options: DetectOptions = {}): Detection {
  const scan = scanFast(rawResponse, options);
  if (scan.status === 'absent') {
    // An answer that was cut off before its JSON began is as good as an empty one.
    return scan.blank || isCutOff(options.stopReason) ? NOTHING_ARRIVED : { partial: false };
  }
  if (scan.status === 'malformed') return withoutLastLineBreak(rawResponse, scan.at, options);
  if (scan.status !== 'cut') return { partial: false };

  const start = textStart(rawResponse, scan.start);
  return {
    partial: true,
    lastValidToken: scan.lastTokenEnd === scan.start ? '' : rawResponse.slice(start, scan.lastTokenEnd),
    resumablePrefix: scan.resumableEnd === scan.start ? '' : rawResponse.slice(start, scan.resumableEnd),
    cutIn: scan.cutIn,
  };
}

/**
 * Most answers are complete, and to see that it is enough to find where strings end. Only where one was passed over
 * and the answer is not complete does it matter what stands inside.
 */
function scanFast(text: string, options: DetectOptions): JsonScan {
  const scanner = new JsonScanner('structure');
  scanner.write(text);
  const scan = scanner.end(options);
  return scan.status === 'complete' || !scanner.skipped ? scan : scanJson(text, options);
}

/** A line break ends what programs print, also where it stands in a string that was cut off: it is not the model's. */
function withoutLastLineBreak(text: string, brokenAt: number, options: DetectOptions): Detection {
  const isLineBreak = /^[\r\n]+$/.test(text.slice(brokenAt));
  return isLineBreak ? detect(text.slice(0, brokenAt), options) : { partial: false };
}

const NOTHING_ARRIVED: PartialCompletion = { partial: true, lastValidToken: '', resumablePrefix: '', cutIn: 'start' };

/** White space before the value is part of the text so far; what JSON does not know as such, a fence or prose is not. */
function textStart(text: string, valueStart: number): number {
  const before = text.slice(0, valueStart);
  const space = /[ \t\r\n]*$/.exec(before)?.[0] ?? '';
  return before.trim() === '' ? valueStart - space.length : valueStart;
}
