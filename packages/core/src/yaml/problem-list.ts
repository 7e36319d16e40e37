import type { LineCounter } from 'yaml';

/** No one reads more, and a megabyte of nonsense has a million. */
const MAX_PROBLEMS = 1_000;

/** One mistake in a text that a person wrote. */
export interface TextProblem {
  readonly message: string;
  /** From 1, as editors count. What concerns the whole file is at line 1, column 1. */
  readonly line: number;
  readonly column: number;
  /** What to do about it. */
  readonly hint?: string;
}

export interface ProblemList {
  readonly isEmpty: boolean;
  /** `offset` is where in the text. */
  add(offset: number, message: string, hint?: string | undefined): void;
  placeOf(offset: number): Pick<TextProblem, 'line' | 'column'>;
  /** In the order of the text. */
  inOrder(): readonly TextProblem[];
}

export function createProblemList(lines: LineCounter): ProblemList {
  const found: { readonly offset: number; readonly message: string; readonly hint: string | undefined }[] = [];
  let unlisted = 0;
  const placeOf = (offset: number) => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  return {
    get isEmpty() {
      return found.length === 0;
    },
    add(offset, message, hint) {
      if (found.length < MAX_PROBLEMS) found.push({ offset, message, hint });
      else unlisted++;
    },
    placeOf,
    inOrder() {
      const problems = found
        .sort((a, b) => a.offset - b.offset)
        .map(({ offset, message, hint }) => {
          return { message, ...placeOf(offset), ...(hint !== undefined && { hint }) };
        });
      const last = problems.at(-1);
      if (unlisted === 0 || last === undefined) return problems;
      return [
        ...problems,
        { ...last, message: `… and ${unlisted} more, which are not listed`, hint: 'correct these first' },
      ];
    },
  };
}
