import { clip } from '../../screen/clip.js';
import { wrapWords } from '../../screen/wrap.js';
import type { LocalTerminal } from './local-terminal.js';

/** Something of ours at the bottom of the agent's screen, for a moment. */
export interface BottomLine {
  readonly isShown: boolean;
  show(text: string): void;
  hide(): void;
  /** Nothing where none is shown. */
  clearing(): string;
}

export interface BottomLineOptions {
  readonly local: LocalTerminal;
  readonly inject: (text: string) => void;
  /** What the agent had drawn in the last so many rows is gone. */
  onHidden(rows: number): void;
}

/** An agent that draws only what changes would leave half of it: so it goes by itself. */
const SHOWN_MS = 6_000;
const MOST_ROWS = 4;

export function createBottomLine({ local, inject, onHidden }: BottomLineOptions): BottomLine {
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
      const lines = wrapWords(clip(text, room * MOST_ROWS), room).slice(0, MOST_ROWS);
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
