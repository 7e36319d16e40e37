import { setTimeout as pause } from 'node:timers/promises';
import { showHiddenMarks } from '@devs/core';
import type { Face } from '../session/agent-setup.js';
import { EMPTY_LINE, editLine, type LineEvent } from './edit-line.js';

/** The terminal streams that the face needs. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** Keys typed up to this long before a question is drawn do not answer it. */
const DRAIN_MS = 20;

export interface TerminalFace extends Face {
  /** Called for every line that is entered, and for Ctrl-C and Ctrl-D. */
  onEvent(listener: (event: LineEvent) => void): void;
  /** Gives the terminal back as it was. */
  close(): void;
}

const PROMPT = 'devs> ';
const CHANNEL = '\u001b_';
const CHOICES = '[y]es / [n]o / [a]lways';
const USUAL_COLUMNS = 80;

export const openTerminalFace = (streams: TerminalStreams): TerminalFace => new RowFace(streams);

/**
 * The bottom row belongs to the agent: the prompt, a question, or its progress. Everything else is printed above it,
 * indented, so that no output can imitate it.
 */
class RowFace implements TerminalFace {
  private editor = EMPTY_LINE;
  private shown = 0;
  private says: 'busy' | 'idle' | 'waiting' = 'busy';
  private question: { readonly text: string; answer(answer: 'yes' | 'no' | 'always'): void } | undefined;
  private listener: (event: LineEvent) => void = () => {};

  constructor(private readonly streams: TerminalStreams) {
    const { input, output } = streams;
    input.setRawMode?.(true);
    input.setEncoding('utf8');
    input.on('data', this.onData);
    output.on('resize', this.draw);
    output.write('\u001b[?2004h');
  }

  say = (text: string): void => {
    this.print(text);
    this.draw();
  };

  show = (next: typeof this.says): number => {
    this.says = next;
    this.shown += 1;
    this.draw();
    this.streams.output.write(`\u001b]0;devs agent: ${this.says} (${this.shown})\u0007`);
    return this.shown;
  };

  ask: Face['ask'] = async (text, signal, onShown) => {
    await pause(DRAIN_MS, undefined, { signal });
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void, said: string) => {
        this.question = undefined;
        signal.removeEventListener('abort', onAbort);
        this.print(`${text} ${said}`);
        this.draw();
        finish();
      };
      const onAbort = () => settle(() => reject(signal.reason), reasonOf(signal));
      signal.addEventListener('abort', onAbort, { once: true });
      this.question = { text, answer: (answer) => settle(() => resolve(answer), answer) };
      onShown();
      this.draw();
    });
  };

  onEvent = (listener: (event: LineEvent) => void): void => {
    this.listener = listener;
  };

  close = (): void => {
    const { input, output } = this.streams;
    input.off('data', this.onData);
    output.off('resize', this.draw);
    input.setRawMode?.(false);
    input.pause();
    output.write('\r\u001b[J\u001b[?2004l');
  };

  private onData = (chunk: string): void => {
    const { question, editor } = this;
    const isChannel = chunk.startsWith(CHANNEL) || editor.pending.startsWith(CHANNEL);
    if (question !== undefined && !editor.isPasting && !isChannel) {
      const answer = answerIn(chunk);
      if (answer !== undefined) question.answer(answer);
      if (answer !== undefined || chunk !== '\u0003') return; // any other key answers nothing
    }
    const edited = editLine(editor, chunk);
    this.editor = edited.editor;
    for (const event of edited.events) {
      if (event.type === 'entered') this.print(`» ${event.text}`);
      this.listener(event);
    }
    this.draw();
  };

  private draw = (): void => {
    this.streams.output.write(`\r\u001b[J${this.row()}`);
  };

  private row(): string {
    const columns = Math.max(20, this.streams.output.columns ?? USUAL_COLUMNS);
    if (this.question !== undefined) return fit(this.question.text, columns - CHOICES.length - 3, ` ${CHOICES} `);
    if (this.says === 'busy') return 'Working…';
    return `${PROMPT}${showDraft(this.editor.draft, columns - PROMPT.length - 2)}`;
  }

  private print(text: string): void {
    const lines = visible(text).split('\n');
    this.streams.output.write(`\r\u001b[J${lines.map((line) => `  ${line}\r\n`).join('')}`);
  }
}

/** Who answered it elsewhere says so. */
const reasonOf = ({ reason }: AbortSignal): string => (typeof reason === 'string' ? reason : 'interrupted');

/** Only the first key counts: text typed before the question must not answer it. */
function answerIn(chunk: string): 'yes' | 'no' | 'always' | undefined {
  switch (chunk.toLowerCase()) {
    case 'y':
    case 'y\r':
      return 'yes';
    case 'n':
    case 'n\r':
      return 'no';
    case 'a':
    case 'a\r':
      return 'always';
    default:
      return undefined;
  }
}

/** The question fits one row, so that it disappears completely once answered. */
const fit = (text: string, most: number, end: string) =>
  `${text.length <= most ? text : `${text.slice(0, Math.max(1, most - 2))}…?`}${end}`;

/** Text from the model, a file or a program must not move the cursor. */
const visible = (text: string) =>
  showHiddenMarks(text)
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b[^[]?/g, '')
    .replace(/[^\n\P{Cc}]/gu, '');

/** Any draft in one row: several lines by their number, a long line by its end. */
export function showDraft(draft: string, columns: number): string {
  const lines = draft.split(/\r\n?|\n/).length;
  if (lines > 1) return `[Pasted text +${lines} lines]`;
  let width = 0;
  let shown = '';
  for (const character of [...draft.replaceAll('\t', ' ')].toReversed()) {
    width += cellsOf(character);
    if (width > columns) break;
    shown = character + shown;
  }
  return shown;
}

/** Ideographs and emoji take two cells; to believe so of too many leaves a little room free. */
const cellsOf = (character: string) => ((character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1);
