import type { LineCounter } from 'yaml';
import type { WorkflowProblem } from '../../errors/workflow-validation-error.js';

/** No one reads more, and a megabyte of nonsense has a million. */
const MOST_PROBLEMS = 1_000;

export interface ProblemList {
  readonly isEmpty: boolean;
  /** `offset` is where in the text. */
  add(offset: number, message: string, hint?: string): void;
  lineOf(offset: number): number;
  /** In the order of the text. */
  inOrder(): readonly WorkflowProblem[];
}

export function createProblemList(lines: LineCounter): ProblemList {
  const found: { readonly offset: number; readonly message: string; readonly hint: string | undefined }[] = [];
  let unlisted = 0;
  return {
    get isEmpty() {
      return found.length === 0;
    },
    add(offset, message, hint) {
      if (found.length < MOST_PROBLEMS) found.push({ offset, message, hint });
      else unlisted++;
    },
    lineOf: (offset) => lines.linePos(offset).line,
    inOrder() {
      const problems = found
        .sort((a, b) => a.offset - b.offset)
        .map(({ offset, message, hint }) => {
          const { line, col: column } = lines.linePos(offset);
          return { message, line, column, ...(hint !== undefined && { hint }) };
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
