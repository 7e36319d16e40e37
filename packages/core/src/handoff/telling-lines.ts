/** The few lines of an output that tell how it ended: those about errors, else the last ones. */
export function tellingLines(output: string, most: number): string {
  const lines = stripTerminal(output)
    .slice(-LOOKED_AT)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !DECORATION.test(line));
  const troubling = lines.filter((line) => TROUBLE.test(line) && !HARMLESS.test(line));
  const chosen = troubling.length > 0 ? troubling.slice(0, most) : lines.slice(-most);
  return chosen.map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line)).join('\n');
}

const LOOKED_AT = 20_000;
const LONGEST = 200;
const DECORATION = /^[\s\-=_*#.│─┌┐└┘├┤|+<>/]*$/;
const TROUBLE = /\b(?:error|errors|failed|failure|FAIL|fatal|panic|exception|undefined|cannot|not found|denied)\b/i;
const HARMLESS = /\b(?:0 (?:errors?|failed|failures)|no errors?)\b/i;

/** Colours and cursor movements of a terminal. */
const stripTerminal = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is looked for
  text.replace(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g, '');
