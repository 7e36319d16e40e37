/**
 * The coverage that the seeds ask for, file by file, and the test file that gives it.
 *
 * @type {readonly { file: string, test: string, thresholds: { statements?: number, branches?: number } }[]}
 */
export const COVERAGE_THRESHOLDS = [
  {
    file: 'packages/core/src/protocol/context-refresher.ts',
    test: 'packages/core/src/protocol/__tests__/context-refresher.test.ts',
    thresholds: { statements: 95 },
  },
  {
    file: 'packages/core/src/protocol/partial-completion-detector.ts',
    test: 'packages/core/src/protocol/__tests__/partial-completion-resume.test.ts',
    thresholds: { branches: 90 },
  },
  {
    file: 'packages/core/src/protocol/partial-completion-resume-handler.ts',
    test: 'packages/core/src/protocol/__tests__/partial-completion-resume.test.ts',
    thresholds: { branches: 90 },
  },
];

/**
 * The thresholds that a selection of test files can be held to, in vitest's form.
 *
 * @param {readonly string[]} testFiles relative to the root of the checkout
 */
export const thresholdsFor = (testFiles) =>
  Object.fromEntries(
    COVERAGE_THRESHOLDS.filter(({ test }) => testFiles.includes(test)).map(({ file, thresholds }) => [
      file,
      thresholds,
    ]),
  );
