import { clip } from '../../screen/clip.js';
import type { LocalTerminal } from './local-terminal.js';

/** One line of ours at the bottom of the agent's screen, for a moment. */
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
  onHidden(): void;
}

/** An agent that draws only what changes would leave half of it: so it goes by itself. */
const SHOWN_MS = 6_000;

export function createBottomLine({ local, inject, onHidden }: BottomLineOptions): BottomLine {
  let isShown = false;
  let hiding: NodeJS.Timeout | undefined;
  const atBottom = (text: string) => `\u001b7\u001b[${local.size().rows};1H${text}\u001b[0m\u001b[K\u001b8`;
  const hide = () => {
    clearTimeout(hiding);
    if (!isShown) return;
    isShown = false;
    inject(atBottom(''));
    onHidden();
  };
  return {
    get isShown() {
      return isShown;
    },
    show(text) {
      clearTimeout(hiding);
      isShown = true;
      inject(atBottom(`\u001b[7m ${clip(text, local.size().columns - 3)} `));
      hiding = setTimeout(hide, SHOWN_MS).unref();
    },
    hide,
    clearing() {
      clearTimeout(hiding);
      return isShown ? atBottom('') : '';
    },
  };
}
