import type { ScreenView } from '@devs/core';
import serializeModule from '@xterm/addon-serialize';
import headlessModule from '@xterm/headless';
import { z } from 'zod';
import { drawRow } from './draw-row.js';
import { createSequenceTracker } from './sequence-tracker.js';

export interface ScreenOptions {
  readonly columns: number;
  readonly rows: number;
  /** Rows above the display. */
  readonly scrollback?: number;
}

/** The screen of a terminal, kept up to date by feeding it the terminal's output. */
export interface Screen {
  /** Resolves when the bytes are on the screen. In order, however many are under way. */
  write(bytes: Uint8Array): Promise<void>;
  /** In order with written output: resolves when the screen has this size. */
  resize(size: { readonly columns: number; readonly rows: number }): Promise<void>;
  view(): ScreenView;
  /** Everything that is still there: scrollback and display, wrapped rows joined, without blank lines at the end. */
  text(): string;
  /** One row of the display as terminal output, cut at `columns`. */
  drawRow(row: number, columns: number): string;
  /** For a late viewer: terminal output that reproduces this screen. Excludes half-read sequences; see `isAtRest`. */
  serialize(): string;
  /** Between two sequences: everything that was written is on the screen. */
  readonly isAtRest: boolean;
  /**
   * For the next client that keeps this screen, or `undefined` in the middle of a sequence: try again after the next
   * write.
   */
  save(): string | undefined;
  /**
   * Answers to queries of the program, such as the cursor position. An agent without a viewer gets no other answers.
   */
  onReply(listener: (answer: string) => void): () => void;
  dispose(): void;
}

const SCROLLBACK_ROWS = 1_000;

const SavedScreen = z.object({
  version: z.literal(1),
  columns: z.number().int().positive(),
  rows: z.number().int().positive(),
  title: z.string(),
  content: z.string(),
});

export function createScreen({ columns, rows, scrollback = SCROLLBACK_ROWS }: ScreenOptions): Screen {
  const terminal = new headlessModule.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true });
  const serializer = new serializeModule.SerializeAddon();
  // The addon was made for the terminal in pages; it uses what both have.
  terminal.loadAddon(serializer as unknown as Parameters<typeof terminal.loadAddon>[0]);
  const tracker = createSequenceTracker();
  let title = '';
  terminal.onTitleChange((text) => {
    title = text;
  });
  const serialize = () => serializeScreen(terminal, serializer, scrollback);
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        terminal.write(bytes, () => {
          tracker.push(bytes);
          resolve();
        });
      }),
    resize: ({ columns: newColumns, rows: newRows }) =>
      new Promise((resolve) => {
        terminal.write('', () => {
          terminal.resize(newColumns, newRows);
          resolve();
        });
      }),
    view: () => viewOf(terminal, title),
    text: () =>
      joinWrapped(terminal.buffer.active, { from: 0, to: terminal.buffer.active.length, columns: terminal.cols }).join(
        '\n',
      ),
    drawRow(row, most) {
      const { active } = terminal.buffer;
      return drawRow(active.getLine(active.baseY + row), Math.min(most, terminal.cols));
    },
    serialize,
    get isAtRest() {
      return tracker.atRest;
    },
    save() {
      if (!tracker.atRest) return undefined;
      const { cols, rows: height } = terminal;
      const saved: z.infer<typeof SavedScreen> = {
        version: 1,
        columns: cols,
        rows: height,
        title,
        content: serialize(),
      };
      return JSON.stringify(saved);
    },
    onReply(listener) {
      const subscription = terminal.onData(listener);
      return () => subscription.dispose();
    },
    dispose: () => terminal.dispose(),
  };
}

type Terminal = InstanceType<typeof headlessModule.Terminal>;
type Serializer = InstanceType<typeof serializeModule.SerializeAddon>;

function viewOf(terminal: Terminal, title: string): ScreenView {
  const { active } = terminal.buffer;
  const range = { from: active.baseY, to: active.baseY + terminal.rows, columns: terminal.cols };
  return {
    columns: terminal.cols,
    rows: rowsOf(active, range),
    lines: joinWrapped(active, range),
    cursor: { row: active.cursorY, column: active.cursorX },
    title,
    bracketedPaste: terminal.modes.bracketedPasteMode,
    alternateScreen: active.type === 'alternate',
  };
}

/** The addon draws rows as long as they are kept, which is more than there is room for after the terminal became narrower. */
function serializeScreen(terminal: Terminal, serializer: Serializer, scrollback: number): string {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: terminal.rows }, (_, row) => active.getLine(row));
  if (active.type !== 'alternate' || rows.every((line) => (line?.length ?? 0) <= terminal.cols))
    return serializer.serialize({ scrollback });
  const normal = serializer.serialize({ scrollback, excludeAltBuffer: true, excludeModes: true });
  const modes = serializer.serialize({ scrollback, excludeAltBuffer: true }).slice(normal.length);
  const drawn = rows.map((line, row) => `\u001b[${row + 1};1H${drawRow(line, terminal.cols)}`);
  const cursor = `\u001b[${active.cursorY + 1};${active.cursorX + 1}H`;
  return `${normal}\u001b[?1049h\u001b[0m${drawn.join('')}${modes}${cursor}`;
}

/** The screen that `save` gave, or `undefined` where it is none of this version. */
export async function restoreScreen(saved: string, { scrollback }: Pick<ScreenOptions, 'scrollback'> = {}) {
  const parsed = SavedScreen.safeParse(parseJson(saved));
  if (!parsed.success) return undefined;
  const { columns, rows, title, content } = parsed.data;
  const screen = createScreen({ columns, rows, ...(scrollback === undefined ? {} : { scrollback }) });
  await screen.write(Buffer.from(`${content}\u001b]2;${withoutControls(title)}\u0007`));
  return screen;
}

type Rows = Pick<(typeof headlessModule.Terminal.prototype)['buffer']['active'], 'getLine'>;
interface Range {
  readonly from: number;
  readonly to: number;
  /** A row of the other screen keeps its content from before the terminal became narrower. */
  readonly columns: number;
}

const rowsOf = (buffer: Rows, { from, to, columns }: Range): string[] =>
  Array.from({ length: to - from }, (_, row) => buffer.getLine(from + row)?.translateToString(true, 0, columns) ?? '');

function joinWrapped(buffer: Rows, { from, to, columns }: Range): string[] {
  const lines: string[] = [];
  for (let row = from; row < to; row++) {
    const line = buffer.getLine(row);
    const goesOn = buffer.getLine(row + 1)?.isWrapped === true && row + 1 < to;
    const text = line?.translateToString(!goesOn, 0, columns) ?? ''; // blanks before a wrap belong to the text
    if (line?.isWrapped === true && lines.length > 0) lines.push(`${lines.pop()}${text}`);
    else lines.push(text);
  }
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

const withoutControls = (text: string) => text.replace(/\p{Cc}/gu, '');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
