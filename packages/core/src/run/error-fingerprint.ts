import { verdictOf } from '../handoff/failure-lines.js';

const MAX_CHARS = 8_000;
const MAX_LINES = 3;
const FINGERPRINT_CHARS = 400;

/**
 * What makes an error the same as one before: the lines that tell of it, without numbers, times, addresses and places that
 * change from one try to the next. How many tests fail stays: fewer than before is another error. `line` is the first of them,
 * for people.
 */
export function errorFingerprint(text: string): { readonly fingerprint: string; readonly line: string } {
  const lines = text
    .slice(-MAX_CHARS)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling = lines.filter((line) => ['failed', 'troubled'].includes(verdictOf(line)));
  const chosen = (telling.length > 0 ? telling : lines.slice(-1)).slice(0, MAX_LINES);
  return {
    fingerprint: chosen.map(withoutPassing).join('\n').slice(0, FINGERPRINT_CHARS),
    line: inWords(chosen[0] ?? '(no output)'),
  };
}

/** `"error": "No such file",` of an answer in JSON becomes the sentence in it. */
function inWords(line: string): string {
  const value = /^"\w+":\s*("(?:[^"\\]|\\.)*"),?$/.exec(line)?.[1];
  try {
    return value === undefined ? line : String(JSON.parse(value));
  } catch {
    return line;
  }
}

/** `12 failing`, `Tests: 3 failed`, `# fail 4`, `errors=2`; or any other number. */
const COUNT_OR_NUMBER =
  /((?<![\d.:])\d+(?=\s+(?:tests?\s+|specs?\s+|checks?\s+)?(?:fail|error|problem|offen[cs]e|broken|passe?|passing|succe))|(?<=\b(?:fail(?:ed|ing|ures?|s)?|errors?|problems?)\s*[:=(]?\s*)\d+(?![\d.:]))|\d+(?:[.:]\d+)*/gi;

const withoutPassing = (line: string): string =>
  line
    .replace(/\b0x[\da-f]+\b|\b[\da-f]{8,}\b/gi, '#')
    .replace(COUNT_OR_NUMBER, (number, ...groups) => (typeof groups[0] === 'string' ? number : '#'))
    .replace(/\s+/g, ' ');
