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

export const createDirectiveReader = (source: string, start: number): DirectiveReader =>
  new SourceReader(source, start);

class SourceReader implements DirectiveReader {
  constructor(
    private readonly source: string,
    public at: number,
  ) {}

  word(stop = /[\s]/): string {
    this.skipBlanks();
    let end = this.at;
    while (end < this.source.length && !stop.test(this.source[end] as string)) end++;
    return this.take(end);
  }

  digits(): string | undefined {
    this.skipBlanks();
    return /\d/.test(this.source[this.at] ?? '') ? this.word() : undefined;
  }

  text(): string {
    this.skipBlanks();
    if (this.source[this.at] === '"') return this.quoted();
    const next = this.source.indexOf(` ${MARK}`, this.at);
    const end = this.lineEnd();
    return this.take(next === -1 || next > end ? end : next).trim();
  }

  json(): string | undefined {
    this.skipBlanks();
    const first = this.source[this.at];
    if (first === '"') return this.take(endOfString(this.source, this.at));
    return first === '{' || first === '[' ? this.take(endOfBrackets(this.source, this.at)) : undefined;
  }

  settings(): ReadonlyMap<string, string> {
    const settings = new Map<string, string>();
    while (true) {
      this.skipBlanks();
      if (this.at >= this.lineEnd() || this.source.startsWith(MARK, this.at)) return settings;
      const key = this.word(/[\s=]/);
      if (this.source[this.at] !== '=')
        throw new DirectiveMistake(`'${excerpt(key)}' needs a value: ${excerpt(key)}=…`);
      this.at++;
      settings.set(key, this.source[this.at] === '"' ? this.quoted() : this.word());
    }
  }

  finish(verb: string): void {
    this.skipBlanks();
    if (this.source.startsWith(MARK, this.at)) return;
    const rest = this.source.slice(this.at, this.lineEnd()).trim();
    if (rest !== '') throw new DirectiveMistake(`nothing may follow '${verb}' here: ${excerpt(rest)}`);
    this.at = this.lineEnd() + 1;
  }

  private skipBlanks(): void {
    while (this.source[this.at] === ' ' || this.source[this.at] === '\t') this.at++;
  }

  private lineEnd(): number {
    const end = this.source.indexOf('\n', this.at);
    return end === -1 ? this.source.length : end;
  }

  private take(end: number): string {
    const taken = this.source.slice(this.at, end);
    this.at = end;
    return taken;
  }

  private quoted(): string {
    const written = this.take(endOfString(this.source, this.at));
    try {
      return JSON.parse(written.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t')) as string;
    } catch {
      throw new DirectiveMistake(`${excerpt(written)} is not a text in JSON's quotes`);
    }
  }
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
