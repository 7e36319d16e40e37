import { cutShort } from '../text/cut-text.js';
import { verdictOf } from './failure-lines.js';
import { stripTerminal } from './strip-terminal.js';

/** The few lines of an output that tell how it ended: those about errors, else its verdict, else the last ones. */
export function keyLines(output: string, most: number): string {
  const lines = stripTerminal(output)
    .slice(-LOOKED_AT)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !DECORATION.test(line));
  return choose(lines, most)
    .map((line) => (line.length > LONGEST ? `${cutShort(line, LONGEST)}…` : line))
    .join('\n');
}

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
