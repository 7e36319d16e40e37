/** What a line of an output says about the whole: `failed` and `passed` are verdicts, `troubled` is only a word of trouble. */
export type LineVerdict = 'failed' | 'passed' | 'troubled' | 'none';

/** Whether any line of a text could say anything about the whole: where not, none need be looked at by itself. */
export const mayHoldVerdict = (text: string): boolean => TELLING.test(text);

/** As the test runners, compilers and linters of many languages put it: by its counts where it has any, else by its words. */
export function verdictOf(line: string): LineVerdict {
  if (!TELLING.test(line)) return 'none';
  if (BUILT.test(line)) return 'passed';
  if (/^\s*(?:[✓✔√]|ok \d|PASS\b)|(?:\.\.\.?|\s)(?:ok|passed)$/i.test(line)) return 'none'; // one test, of any name
  const counts = [...line.matchAll(COUNTED)].map(([, before, after]) => Number(before ?? after));
  if (counts.some((count) => count > 0) || FAILED.test(line)) return 'failed';
  if (counts.length > 0 || PASSED.test(line)) return 'passed';
  return TROUBLE.test(line) && !/\b(?:no|without|zero) (?:errors?|failures?|problems)\b/i.test(line)
    ? 'troubled'
    : 'none';
}

/** What a line must hold for any of the following to match it: nearly none does. */
const TELLING =
  /fail|error|err!|offense|problem|pass|success|\bok\b|built|compiled|bundled|issues|fatal|panic|exception|undefined|cannot|not found|denied|\*{3}|traceback/i;

/** “3 failed”, “2 failing”, “42 examples, 3 failures”, “1 tests failed”; “# fail 2”, “Failures: 1”, “(errors=2)”. */
const COUNTED =
  /(?<![\w.-])(\d+) (?:\w+ )?(?:failed|failing|failures?|errors?|errored|offenses?|problems?)\b|\b(?:fail|failed|failures|errors|problems)(?::|=|\s)\s*(\d+)(?![\w:-]|\.\d)/gi;

const FAILED =
  /^(?:FAIL|FAILED|not ok)\b(?!.*# (?:TODO|SKIP))|^\s*--- FAIL\b|\bBUILD FAILURE\b|\bBUILD FAILED\b|\btest result: FAILED\b|^error(?:\[\w+\])?: |\berror TS\d+|^make(?:\[\d+\])?: \*\*\*|^npm (?:ERR!|error)|^Traceback \(most recent call last\)|^\[ERROR\] |^Tests? failed\b|^error Command failed/;

const PASSED =
  /\b\d+ (?:tests? |specs? |examples? )?(?:passed|passing)\b|\ball (?:tests|checks|specs) (?:have )?(?:passed|pass)\b|\bBUILD SUCCESS(?:FUL)?\b|^OK\b|\bno issues found\b/i;

/** Of bundlers and compilers, which complain of much before they are done. */
const BUILT = /\b(?:built|compiled|bundled)(?: successfully)? in \d|\bcompiled successfully\b/i;

/** A word of a sentence, not a part of a name or path. */
const TROUBLE =
  /(?<![\w./-])(?:error|errors|failed|failure|FAIL|fatal|panic|exception|undefined|cannot|not found|denied)(?![\w/-]|\.\w|::)/i;
