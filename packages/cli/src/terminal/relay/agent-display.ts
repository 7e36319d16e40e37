import { clip } from '../../screen/clip.js';
import { wrapWords } from '../../screen/wrap.js';
import type { LocalTerminal } from './local-terminal.js';
import { createOutputFilter } from './output-filter.js';
import type { TerminalModes } from './terminal-modes.js';

/** Something of ours at the bottom of the agent's screen, for a moment. */
interface BottomLine {
  readonly isShown: boolean;
  show(text: string): void;
  hide(): void;
  /** Nothing where none is shown. */
  clearing(): string;
}

interface BottomLineOptions {
  readonly local: LocalTerminal;
  readonly inject: (text: string) => void;
  /** The last `rows` rows that the agent had drawn were erased. */
  onHidden(rows: number): void;
}

/** An agent that draws only what changes would leave half of it: so it goes by itself. */
const SHOWN_MS = 6_000;
const MAX_ROWS = 4;

function createBottomLine({ local, inject, onHidden }: BottomLineOptions): BottomLine {
  /** How many rows it takes. */
  let height = 0;
  let hiding: NodeJS.Timeout | undefined;
  const atBottom = (lines: readonly string[]) => {
    const top = Math.max(1, local.size().rows - lines.length + 1);
    const drawn = lines.map((line, row) => `\u001b[${top + row};1H${line}\u001b[0m\u001b[K`);
    return `\u001b7${drawn.join('')}\u001b8`;
  };
  const blank = () => atBottom(Array.from({ length: height }, () => ''));
  const hide = () => {
    clearTimeout(hiding);
    if (height === 0) return;
    const rows = height;
    inject(blank());
    height = 0;
    onHidden(rows);
  };
  return {
    get isShown() {
      return height > 0;
    },
    show(text) {
      const room = Math.max(1, local.size().columns - 2);
      const lines = wrapWords(clip(text, room * MAX_ROWS), room).slice(0, MAX_ROWS);
      if (lines.length < height) hide();
      clearTimeout(hiding);
      height = lines.length;
      inject(atBottom(lines.map((line) => `\u001b[7m ${line} `)));
      hiding = setTimeout(hide, SHOWN_MS).unref();
    },
    hide,
    clearing() {
      clearTimeout(hiding);
      return height > 0 ? blank() : '';
    },
  };
}

/** The user's display: the agent's output, with notices of devs in between. */
export interface AgentDisplay {
  readonly modes: TerminalModes;
  print(bytes: Uint8Array): void;
  /** Something of ours, between two sequences of the agent's. */
  inject(text: string): void;
  bell(): void;
  /** By the means of the terminal itself, which draw nothing. */
  notify(text: string): void;
  /** A line at the bottom, for a moment. */
  show(line: string): void;
  readonly showsLine: boolean;
  hideLine(): void;
  titleChanged(): void;
  /** Some output was lost on the way: a sequence cut in two is over. */
  skip(): void;
  /** The agent has printed its last. */
  settle(): void;
  /** The next process begins in a terminal as the first one found it. */
  clear(): void;
  /** The sequence that resets the terminal. `isLeft`: the agent continues, and its drawing stays. */
  farewell(isLeft: boolean): string;
}

export interface DisplayOptions {
  readonly local: LocalTerminal;
  readonly name: string;
  /** What stands behind the agent's own title. */
  titleWord(): string;
  /** The line at the bottom is gone, and what was in the last so many rows with it. */
  onLineHidden(rows: number): void;
}

export function createAgentDisplay({ local, name, titleWord, onLineHidden }: DisplayOptions): AgentDisplay {
  let wasDecorated = false;
  let waiting: string[] = [];
  const newFilter = () =>
    createOutputFilter((title) => {
      wasDecorated ||= titleWord() !== '' && title !== '';
      return title === '' ? title : decorated(title, titleWord());
    });
  let filter = newFilter();
  const inject = (text: string) => {
    if (filter.isBetween) local.write(text);
    else waiting.push(text);
  };
  const line = createBottomLine({ local, inject, onHidden: onLineHidden });
  local.write(PUSH_TITLE);

  return {
    get modes() {
      return filter.modes;
    },
    print(bytes) {
      local.write(filter.push(bytes));
      if (waiting.length === 0 || !filter.isBetween) return;
      for (const text of waiting) local.write(text);
      waiting = [];
    },
    inject,
    bell: () => inject('\u0007'),
    notify: (text) => inject(`\u0007\u001b]9;${text}\u0007`),
    show: line.show,
    get showsLine() {
      return line.isShown;
    },
    hideLine: line.hide,
    titleChanged() {
      const word = titleWord();
      if (word === '' && !wasDecorated) return;
      wasDecorated = true;
      inject(`\u001b]2;${decorated(filter.title ?? name, word)}\u0007`);
    },
    skip() {
      filter.rest();
      local.write(filter.push(CANCEL));
    },
    settle: () => local.write(filter.rest()),
    clear() {
      local.write(filter.rest());
      local.write(`${filter.modes.restoring()}\u001b[2J\u001b[H`);
      filter = newFilter();
    },
    farewell(isLeft) {
      const { modes, title } = filter;
      const ownTitle = wasDecorated ? `\u001b]2;${title ?? ''}\u0007` : '';
      const below = isLeft && !modes.isAlternate ? BELOW_DRAWING : '';
      return `${line.clearing()}${modes.restoring()}${ownTitle}${POP_TITLE}${below}`;
    },
  };
}

const decorated = (title: string, word: string): string => (word === '' ? title : `${title} · ${word}`);

const BELOW_DRAWING = '\u001b[9999;1H\r\n';
/** Ends a sequence and draws nothing. */
const CANCEL = Buffer.from([0x18]);
const PUSH_TITLE = '\u001b[22;0t';
const POP_TITLE = '\u001b[23;0t';
