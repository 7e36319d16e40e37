import { type JsonScan, JsonScanner } from './json/json-scanner.js';
import type { CutIn } from './json/json-value-scanner.js';
import { scanJson } from './json/scan-json.js';
import { isCutOff } from './model-answer.js';

export interface DetectOptions {
  /** The provider's reason for the end of the answer, e.g. `max_tokens`, `length`, `end_turn`. */
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
 * Distinguishes an answer that was cut off from a complete or malformed one: only the first can be resumed.
 *
 * `partial-completion-detector.agent.md` lists the result for each kind of text.
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
 * Most answers are complete, and finding the ends of strings is enough to see that. The content of a skipped string
 * matters only if the answer is not complete.
 */
function scanFast(text: string, options: DetectOptions): JsonScan {
  const scanner = new JsonScanner('structure');
  scanner.write(text);
  const scan = scanner.end(options);
  return scan.status === 'complete' || !scanner.skipped ? scan : scanJson(text, options);
}

/** Programs end their output with a line break, even inside a cut-off string: it is not part of the model's answer. */
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
