import { characterSet } from './character-set.js';
import { matchAt } from './match-at.js';
import { runEnd } from './run-end.js';
import type { SecretSpan } from './secret-span.js';

const BEGIN = '-----BEGIN ';
const LABEL = /-----BEGIN ([A-Z0-9 ]{1,64})-----/y;
const END_OF_PRIVATE_KEY = /-----END [A-Z0-9 ]{0,54}PRIVATE KEY(?: BLOCK)?-----/;

/** Between two lines of a block: line ends (written out, too), line numbers, quotes and what joins quoted lines. */
const BETWEEN = /(?:[\s"'`+,;>|#*]|\\[nrt"']|\d{1,6}[→|:\t]){0,64}/y;
const isLineCharacter = characterSet(/[A-Za-z0-9+/=]/);
const HEADER = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID)[^\n\\"]{0,200}/y;
const MIN_LINE_LENGTH = 20;

/** Blocks of `-----BEGIN … PRIVATE KEY-----`, with all that is left of them where the end is cut off. */
export function findPrivateKeys(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (let at = text.indexOf(BEGIN); at !== -1; ) {
    const next = text.indexOf(BEGIN, at + BEGIN.length);
    const label = matchAt(LABEL, text, at);
    if (label?.[1]?.includes('PRIVATE KEY')) {
      const body = at + label[0].length;
      found.push({ start: at, end: endOfBlock(text, body, next === -1 ? text.length : next), kind: 'private-key' });
    }
    at = next;
  }
  return found;
}

/** Certificates and public keys, which look as random as private ones and are not secret. */
export function findPublicBlocks(text: string): readonly Omit<SecretSpan, 'kind'>[] {
  const found: Omit<SecretSpan, 'kind'>[] = [];
  for (let at = text.indexOf(BEGIN); at !== -1; at = text.indexOf(BEGIN, at + BEGIN.length)) {
    const label = matchAt(LABEL, text, at);
    if (label !== undefined && /CERTIFICATE|PUBLIC KEY|SIGNATURE/.test(label[1] ?? '')) {
      found.push({ start: at, end: endOfLines(text, at + label[0].length) });
    }
  }
  return found;
}

function endOfBlock(text: string, body: number, limit: number): number {
  const end = END_OF_PRIVATE_KEY.exec(text.slice(body, limit));
  return end === null ? Math.min(limit, endOfLines(text, body)) : body + end.index + end[0].length;
}

/** Where lines of base64 stop. The last one may be short. */
function endOfLines(text: string, body: number): number {
  let end = body;
  for (;;) {
    const from = end + lengthAt(BETWEEN, text, end);
    const header = lengthAt(HEADER, text, from);
    const line = header > 0 ? 0 : runEnd(text, from, isLineCharacter) - from;
    if (header > 0) end = from + header;
    else if (line >= MIN_LINE_LENGTH) end = from + line;
    else return line > 0 && end > body && looksCut(text.slice(from, from + line)) ? from + line : end;
  }
}

const looksCut = (line: string) => /\d|[+/=]|[a-z][A-Z]/.test(line);

const lengthAt = (pattern: RegExp, text: string, at: number) => matchAt(pattern, text, at)?.[0].length ?? 0;
