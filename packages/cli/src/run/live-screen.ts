import type { Screen } from '../screen/screen.js';

/** A terminal that can be drawn on again and again. */
export interface LiveScreen {
  readonly palette: Screen['palette'];
  size(): { readonly columns: number; readonly rows: number };
  write(text: string): void;
  /** Gives a function that ends it. */
  onResize(listener: () => void): () => void;
}

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

/** `undefined` without a viewer, or for a terminal without control sequences. */
export function createLiveScreen(
  stdout: Terminal,
  env: Readonly<Record<string, string | undefined>>,
  { palette }: Pick<Screen, 'palette'>,
): LiveScreen | undefined {
  if (stdout.isTTY !== true || env.TERM === 'dumb') return undefined;
  return {
    palette,
    // A terminal that was never told its size says 0.
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    write: (text) => void stdout.write(text),
    onResize(listener) {
      stdout.on('resize', listener);
      return () => void stdout.off('resize', listener);
    },
  };
}
