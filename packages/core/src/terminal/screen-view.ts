/** The screen of a terminal as plain values, for adapters of agents and for decisions. */
export interface ScreenView {
  readonly columns: number;
  /** The rows on display from the top, up to the last cell that was printed. As many as the terminal is high. */
  readonly rows: readonly string[];
  /** The same with rows that the terminal wrapped joined again, without blank lines at the end. */
  readonly lines: readonly string[];
  /** Counted from 0, in `rows`. */
  readonly cursor: { readonly row: number; readonly column: number };
  readonly title: string;
  /** The program asked for pasted text to be marked as such (mode 2004). */
  readonly bracketedPaste: boolean;
  readonly alternateScreen: boolean;
}
