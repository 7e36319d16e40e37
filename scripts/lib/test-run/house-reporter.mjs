import { DefaultReporter } from 'vitest/node';
import { LONG_TAG } from './long-tests.mjs';
import { tellSkipped } from './tell-skipped.mjs';

/**
 * One line for each test file and each reason to skip; titles only of tests that failed.
 *
 * A passing run prints no titles of slow tests and nothing that tests wrote to the console: the seeds count the word
 * FAIL in the output. A test that has something to show (a table) says `context.annotate(text)`.
 */
export class HouseReporter extends DefaultReporter {
  counts = { passed: 0, failed: 0, skipped: 0 };
  /** How many long tests, in files that were run, were not. */
  leftOut = 0;

  constructor() {
    super({ summary: false });
  }

  /** @override @type {DefaultReporter['onTestRunStart']} */
  onTestRunStart(specifications) {
    super.onTestRunStart(specifications);
    this.renderSucceed = false; // the default shows every title when there is one file only
  }

  /** @override @param {string} moduleState @param {import('vitest/node').TestCase} test */
  printTestCase(moduleState, test) {
    // @ts-expect-error private in vitest's types; there is no other way to leave the titles of slow tests out
    if (test.result().state === 'failed') super.printTestCase(moduleState, test);
  }

  /** @param {import('vitest/node').TestCase} _test @param {import('vitest').TestAnnotation} annotation */
  onTestCaseAnnotate(_test, annotation) {
    this.log(annotation.message);
  }

  /** @override @type {DefaultReporter['onTestRunEnd']} */
  onTestRunEnd(testModules, unhandledErrors, reason) {
    super.onTestRunEnd(testModules, unhandledErrors, reason);
    const tests = testModules.flatMap((testModule) => [...testModule.children.allTests()]);
    const suites = testModules.flatMap((testModule) => [testModule, ...testModule.children.allSuites()]);
    const skipped = tests.filter((test) => test.result().state === 'skipped' && this.#isSelected(test));
    this.leftOut = tests.filter((test) => this.#isLeftOut(test)).length;
    for (const line of tellSkipped(skipped.map((test) => ({ title: test.fullName, reason: skipReason(test) }))))
      this.log(line);
    this.counts = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      // A file that could not be loaded, a hook and an error outside of any test are failures too, without being tests.
      failed:
        tests.filter((test) => test.result().state === 'failed').length +
        suites.filter((suite) => suite.errors().length > 0).length +
        unhandledErrors.length,
      skipped: skipped.length,
    };
  }

  /**
   * Tests that `-t` or their tag leaves out are skipped in vitest's words, not in ours.
   *
   * @param {import('vitest/node').TestCase} test
   */
  #isSelected(test) {
    const pattern = this.ctx.getGlobalTestNamePattern();
    if (this.#isLeftOut(test)) return false;
    return pattern === undefined || pattern.test(test.fullName.replaceAll(' > ', ' '));
  }

  /** @param {import('vitest/node').TestCase} test */
  #isLeftOut(test) {
    return this.ctx.config.tagsFilter !== undefined && test.tags.includes(LONG_TAG);
  }
}

/** @param {import('vitest/node').TestCase} test */
function skipReason(test) {
  if (test.options.mode === 'todo') return 'to be written';
  const result = test.result();
  return (result.state === 'skipped' && result.note) || "no reason given (context.skip('why') gives one)";
}
