import type { JsonObject } from '@devs/core';
import { listIn, objectIn, parseObject, textIn } from '../reading/json.js';
import { withoutRepeatedResult } from './parse-record.js';

/** A line with the result of one tool, whose text is read on demand. */
export interface HeldBackResult {
  readonly record: JsonObject;
  readonly callId: string;
  readonly bytes: number;
  readonly text: () => string;
}

/**
 * Tool results are most of a transcript, and nearly all of them are never read again. The text of a long result
 * without an error is taken out of its line before the line is decoded and parsed.
 *
 * The line is searched as Latin-1, where every byte is a character. Quotes inside a string are escaped, so the search
 * cannot match inside a string. `undefined` for a line of any other form, which must be read whole.
 */
export function holdBackResult(line: Buffer, head: string): HeldBackResult | undefined {
  const opening = OPENING.exec(head);
  if (opening === null) return undefined;
  const start = opening.index + opening[0].length;
  const remainder = line.toString('latin1', start);
  const end = endOfString(remainder);
  if (end < SHORTEST || end > LONGEST || remainder.startsWith('Exit code')) return undefined;
  const rest = withoutRepeatedResult(remainder.slice(end));
  if (rest.includes('"tool_result"')) return undefined;
  const record = parseObject(decoded(head.slice(0, start) + rest));
  const blocks = listIn(objectIn(record?.message)?.content);
  const block = objectIn(blocks[0]);
  if (record?.type !== 'user' || blocks.length !== 1) return undefined;
  if (block?.content !== '' || block.is_error === true) return undefined;
  const content = line.toString('latin1', start, start + end); // not a part of the remainder, which it would keep
  const text = () => textIn(parseObject(`{"text":"${decoded(content)}"}`)?.text) ?? '';
  return { record, callId: textIn(block.tool_use_id) ?? '', bytes: end, text };
}

const OPENING = /"type":"tool_result"(?:,"tool_use_id":"[^"\\]*")?,"content":"/;
const SHORTEST = 256;
/** Longer ones are read at once, as not more than a part of them is kept. */
const LONGEST = 65_536;

/** Where the quote is that ends a string, or -1. */
function endOfString(text: string): number {
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return -1;
}

const BACKSLASH = 0x5c;

/** ASCII text is the same in both. */
const decoded = (latin1: string): string =>
  BEYOND_ASCII.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;

const BEYOND_ASCII = /[\u0080-\u00ff]/;
