import { isCutOff } from '../model-answer.js';
import { isDigit, isSpace, literalOf } from './characters.js';
import { type CutIn, JsonValueScanner, type StringCare } from './json-value-scanner.js';
import { TextWindow } from './text-window.js';

/**
 * Content of a model's answer. Offsets count UTF-16 units from the start of everything written.
 *
 * - `absent`: no JSON value begins; `blank` when there was nothing but white space, a byte-order mark or an opening
 * fence
 * - `malformed`: a value began and broke the grammar at `at`; no further text can mend it
 * - `cut`: a value began and the text ended inside it
 * - `complete`: a value from `start` to `end`; `after` says whether anything but white space and its closing fence
 * follows
 */
export type JsonScan =
  | { readonly status: 'absent'; readonly blank: boolean }
  | { readonly status: 'malformed'; readonly start: number; readonly at: number }
  | {
      readonly status: 'cut';
      readonly start: number;
      readonly lastTokenEnd: number;
      readonly resumableEnd: number;
      readonly cutIn: CutIn;
    }
  | { readonly status: 'complete'; readonly start: number; readonly end: number; readonly after: 'nothing' | 'text' };

/** Inside the value. A `scalar` at the beginning of an answer may still turn out to be part of a sentence. */
type Inside = { readonly kind: 'scalar'; readonly start: number } | { readonly kind: 'value'; readonly start: number };

/** Before or behind the value. A `candidate` is a brace in a sentence, which may begin an object or not. */
type Outside =
  | { readonly kind: 'blank' | 'prose' | 'fence-line' | 'fence-body' }
  | { readonly kind: 'fence-ticks'; readonly ticks: number }
  | { readonly kind: 'candidate'; readonly start: number }
  | { readonly kind: 'after-scalar' | 'after-value'; readonly start: number; readonly end: number };

const BYTE_ORDER_MARK = 0xfeff;
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const MINUS = 0x2d;
const OPEN_BRACKET = 0x5b;
const BACKTICK = 0x60;
const OPEN_BRACE = 0x7b;
const FENCE_TICKS = 3;

/**
 * Finds the single JSON value in a model's answer while the answer streams in.
 *
 * Before the value it skips white space, a byte-order mark, a Markdown fence and prose; after it, white space and the
 * closing fence. In prose only an object counts as a beginning, and only with its first key in sight: `{x}` and `[1]`
 * are common in sentences. Once a value has begun, an error in it is final: searching on inside would take a fragment
 * of the answer for the answer.
 */
export class JsonScanner {
  readonly #care: StringCare;
  #phase: Inside | Outside = { kind: 'blank' };
  readonly #window = new TextWindow();
  #value = new JsonValueScanner('content', 0, this.#window);
  #offset = 0;
  #lineStart = true;
  #fenced = false;
  #textAfter = false;

  constructor(care: StringCare = 'content') {
    this.#care = care;
  }

  /** See `JsonValueScanner.skipped`. */
  get skipped(): boolean {
    return this.#value.skipped;
  }

  write(chunk: string): void {
    let index = 0;
    while (index < chunk.length) {
      const phase = this.#phase;
      if (phase.kind === 'value' || phase.kind === 'scalar') {
        if (this.#value.broken) break; // final: what follows cannot mend it
        index = this.#value.write(chunk, index);
        this.#afterWriting(phase);
      } else if (this.#take(phase, chunk.charCodeAt(index), this.#offset + index)) {
        index++;
      }
    }
    this.#offset += chunk.length;
  }

  end({ stopReason }: { readonly stopReason?: string | undefined } = {}): JsonScan {
    const phase = this.#phase;
    switch (phase.kind) {
      case 'candidate':
      case 'scalar':
      case 'value':
        if (this.#value.broken) return { status: 'malformed', start: phase.start, at: this.#value.length };
        return this.#endOfText(phase.start, this.#value.length, stopReason);
      case 'after-scalar':
      case 'after-value':
        return this.#endOfText(phase.start, phase.end, phase.end === this.#offset ? stopReason : undefined);
      case 'prose':
        return { status: 'absent', blank: false };
      default:
        return { status: 'absent', blank: true };
    }
  }

  #endOfText(start: number, end: number, stopReason: string | undefined): JsonScan {
    const open = this.#value.openEnd({ cutOff: isCutOff(stopReason) });
    if (open !== undefined) return { status: 'cut', start, ...open };
    return { status: 'complete', start, end, after: this.#textAfter ? 'text' : 'nothing' };
  }

  #afterWriting(phase: Inside): void {
    if (this.#value.done) {
      const kind = phase.kind === 'value' ? 'after-value' : 'after-scalar';
      this.#phase = { kind, start: phase.start, end: this.#value.length };
    } else if (this.#value.broken && phase.kind === 'scalar') {
      this.#phase = { kind: 'prose' }; // "true" may begin a sentence
    }
  }

  /** One character outside of the value; `false` where it must be looked at again in the phase that it began. */
  #take(phase: Outside, code: number, offset: number): boolean {
    switch (phase.kind) {
      case 'blank':
        if (isBlank(code)) return true;
        if (code === BACKTICK) return this.#enter({ kind: 'fence-ticks', ticks: 0 });
        if (beginsContainer(code)) return this.#begin('value', offset);
        return beginsScalar(code) ? this.#begin('scalar', offset) : this.#enter({ kind: 'prose' });
      case 'prose':
        return this.#takeProse(code, offset);
      case 'fence-ticks':
        if (code === BACKTICK) this.#phase = { kind: 'fence-ticks', ticks: phase.ticks + 1 };
        else return this.#enter({ kind: phase.ticks < FENCE_TICKS ? 'prose' : 'fence-line' });
        return true;
      case 'fence-line':
        if (beginsContainer(code)) {
          this.#fenced = true; // ```json {…} ``` on one line
          return this.#begin('value', offset);
        }
        if (code === NEWLINE) this.#phase = { kind: 'fence-body' };
        return true;
      case 'fence-body':
        if (isSpace(code)) return true;
        this.#fenced = beginsContainer(code);
        return this.#fenced ? this.#begin('value', offset) : this.#enter({ kind: 'prose' });
      case 'candidate':
        if (code === QUOTE) return this.#enter({ kind: 'value', start: phase.start });
        if (!isSpace(code)) return this.#enter({ kind: 'prose' });
        this.#value.write(' ');
        return true;
      case 'after-scalar':
        return isSpace(code) || this.#enter({ kind: 'prose' });
      case 'after-value':
        if (!isBlank(code) && !(this.#fenced && code === BACKTICK)) this.#textAfter = true;
        return true;
    }
  }

  #takeProse(code: number, offset: number): boolean {
    if (code === BACKTICK && this.#lineStart) return this.#enter({ kind: 'fence-ticks', ticks: 0 });
    this.#lineStart = code === NEWLINE || (this.#lineStart && isSpace(code));
    if (code !== OPEN_BRACE) return true;
    this.#begin('candidate', offset);
    this.#value.write('{');
    return true;
  }

  #begin(kind: 'candidate' | 'scalar' | 'value', start: number): false {
    // A scalar may be the beginning of a sentence: only its content decides, so it is always read with care.
    this.#value = new JsonValueScanner(kind === 'scalar' ? 'content' : this.#care, start, this.#window);
    return this.#enter({ kind, start });
  }

  #enter(phase: Inside | Outside): false {
    if (phase.kind === 'prose') this.#lineStart = this.#phase.kind === 'fence-body';
    this.#phase = phase;
    return false;
  }
}

/** What says nothing around a value: any white space, also the kinds that JSON does not know. */
const isBlank = (code: number) =>
  isSpace(code) || code === 0xa0 || code === 0x200b || code === 0x2028 || code === 0x2029 || code === BYTE_ORDER_MARK;

const beginsContainer = (code: number) => code === OPEN_BRACE || code === OPEN_BRACKET;

const beginsScalar = (code: number) =>
  code === QUOTE || code === MINUS || isDigit(code) || literalOf(code) !== undefined;
