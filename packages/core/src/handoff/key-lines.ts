import { cutShort } from '../text/cut-text.js';
import { mayHoldVerdict, verdictOf } from './failure-lines.js';
import { stripTerminal } from './strip-terminal.js';

/** The few lines of an output that tell how it ended: those about errors, else its verdict, else the last ones. */
export function keyLines(output: string, most: number): string {
  const text = stripTerminal(output).slice(-LOOKED_AT);
  const chosen = mayHoldVerdict(text) ? choose(linesOf(text), most) : lastLines(text, most);
  return chosen.map((line) => (line.length > LONGEST ? `${cutShort(line, LONGEST)}…` : line)).join('\n');
}

const linesOf = (text: string): readonly string[] => text.split('\n').map(trimmed).filter(isTold);

/** The same as the end of all of them. */
function lastLines(text: string, most: number): readonly string[] {
  const last: string[] = [];
  for (let end = text.length; end >= 0 && last.length < most; ) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (isTold(line)) last.unshift(line);
    end = start - 1;
  }
  return last;
}

const trimmed = (line: string): string => line.trim();
const isTold = (line: string): boolean => line !== '' && !DECORATION.test(line);

function choose(lines: readonly string[], most: number): readonly string[] {
  const verdicts = lines.map(verdictOf);
  const failure = lines[verdicts.indexOf('failed')];
  const troubling = lines.filter((_, at) => verdicts[at] === 'failed' || verdicts[at] === 'troubled').slice(0, most);
  // An error that a test expects stands in many outputs of tests that pass.
  if (failure === undefined && verdicts.includes('passed'))
    return lines.slice(0, verdicts.lastIndexOf('passed') + 1).slice(-most);
  if (troubling.length === 0) return lines.slice(-most);
  return failure === undefined || troubling.includes(failure) ? troubling : [...troubling.slice(0, -1), failure];
}

const LOOKED_AT = 20_000;
const LONGEST = 200;
const DECORATION = /^[\s\-=_*#.│─┌┐└┘├┤|+<>/]*$/;
