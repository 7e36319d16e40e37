import { colourPalette, type Palette, plainPalette } from './palette.js';

/** Properties of the output. */
export interface Screen {
  readonly columns: number;
  readonly palette: Palette;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface Environment {
  readonly NO_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
}

const USUAL_COLUMNS = 80;
const MIN_COLUMNS = 40;
/** Longer lines are hard to read. */
const MAX_COLUMNS = 100;

/** Colours only on a terminal that can show them, and never with NO_COLOR (https://no-color.org). */
export function describeScreen(stream: Stream, env: Environment): Screen {
  const colours = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const columns = stream.isTTY === true && stream.columns ? stream.columns : USUAL_COLUMNS;
  return {
    columns: Math.min(Math.max(columns, MIN_COLUMNS), MAX_COLUMNS),
    palette: colours ? colourPalette : plainPalette,
  };
}
