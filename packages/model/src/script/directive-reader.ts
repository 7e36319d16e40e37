/** Reads directives from a text one by one; throws a `DirectiveMistake` for an invalid directive. */
export class DirectiveMistake extends Error {}

export const MARK = '@model ';

export interface DirectiveReader {
  readonly at: number;
  /** The next word on this line; `''` where there is none. */
  word(): string;
  /** The next word where it begins with a digit. */
  digits(): string | undefined;
  /** Text in JSON's quotes, or all up to the end of the line or the next directive. */
  text(): string;
  /** JSON in braces, brackets or quotes, as written; `undefined` if the line continues differently. */
  json(): string | undefined;
  /** All `key=value` that follow. A value with spaces has JSON's quotes. */
  settings(): ReadonlyMap<string, string>;
  /** Moves behind the line break, or to the next directive on this line. */
  finish(verb: string): void;
}

export function createDirectiveReader(source: string, start: number): DirectiveReader {
  let at = start;
  const skipBlanks = () => {
    while (source[at] === ' ' || source[at] === '\t') at++;
  };
  const lineEnd = () => {
    const end = source.indexOf('\n', at);
    return end === -1 ? source.length : end;
  };
  const take = (end: number) => {
    const taken = source.slice(at, end);
    at = end;
    return taken;
  };
  const quoted = () => {
    const written = take(endOfString(source, at));
    try {
      return JSON.parse(written.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t')) as string;
    } catch {
      throw new DirectiveMistake(`${excerpt(written)} is not a text in JSON's quotes`);
    }
  };
  const word = (stop = /[\s]/) => {
    skipBlanks();
    let end = at;
    while (end < source.length && !stop.test(source[end] as string)) end++;
    return take(end);
  };
  return {
    get at() {
      return at;
    },
    word: () => word(),
    digits() {
      skipBlanks();
      return /\d/.test(source[at] ?? '') ? word() : undefined;
    },
    text() {
      skipBlanks();
      if (source[at] === '"') return quoted();
      const next = source.indexOf(` ${MARK}`, at);
      const end = lineEnd();
      return take(next === -1 || next > end ? end : next).trim();
    },
    json() {
      skipBlanks();
      const first = source[at];
      if (first === '"') return take(endOfString(source, at));
      return first === '{' || first === '[' ? take(endOfBrackets(source, at)) : undefined;
    },
    settings() {
      const settings = new Map<string, string>();
      while (true) {
        skipBlanks();
        if (at >= lineEnd() || source.startsWith(MARK, at)) return settings;
        const key = word(/[\s=]/);
        if (source[at] !== '=') throw new DirectiveMistake(`'${excerpt(key)}' needs a value: ${excerpt(key)}=…`);
        at++;
        settings.set(key, source[at] === '"' ? quoted() : word());
      }
    },
    finish(verb) {
      skipBlanks();
      if (source.startsWith(MARK, at)) return;
      const rest = source.slice(at, lineEnd()).trim();
      if (rest !== '') throw new DirectiveMistake(`nothing may follow '${verb}' here: ${excerpt(rest)}`);
      at = lineEnd() + 1;
    },
  };
}

function endOfString(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '"') return at + 1;
  }
  throw new DirectiveMistake(`a closing quote is missing after ${excerpt(source.slice(start))}`);
}

function endOfBrackets(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const character = source[at];
    if (character === '"') at = endOfString(source, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth === 0) return at + 1;
  }
  throw new DirectiveMistake(`a closing bracket is missing after ${excerpt(source.slice(start))}`);
}

const EXCERPT_CHARACTERS = 60;

export const excerpt = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > EXCERPT_CHARACTERS ? `${line.slice(0, EXCERPT_CHARACTERS)}…` : line;
};
