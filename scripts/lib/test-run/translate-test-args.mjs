/**
 * @typedef {{ pathPattern?: RegExp, coverage: boolean, vitestArgs: string[] }} TestRequest
 *   `vitestArgs` are for vitest as they stand
 */

/** How other test runners spell what vitest calls `-t`. */
const NAME_OPTIONS = ['--grep', '--testNamePattern'];
/** jest's two spellings; vitest has no such option. */
const PATH_OPTIONS = ['--testPathPattern', '--testPathPatterns'];

/**
 * The arguments of a test script in jest's, mocha's and vitest's words → one request. Pure.
 *
 * @param {readonly string[]} argv
 * @returns {TestRequest | { usageError: string }}
 */
export function translateTestArgs(argv) {
  /** @type {TestRequest} */
  const request = { coverage: false, vitestArgs: [] };
  const rest = argv.filter((arg) => arg !== '--'); // pnpm passes it on
  while (rest.length > 0) {
    const arg = /** @type {string} */ (rest.shift());
    const { name, inlineValue } = splitOption(arg);
    if (PATH_OPTIONS.includes(name) || NAME_OPTIONS.includes(name)) {
      const value = inlineValue ?? rest.shift();
      if (value === undefined || value === '') return { usageError: `${name} needs a value` };
      if (NAME_OPTIONS.includes(name)) request.vitestArgs.push('-t', value);
      else {
        const pattern = toRegExp(value);
        if (pattern === undefined) return { usageError: `${name}: not a regular expression: ${value}` };
        request.pathPattern = pattern;
      }
    } else {
      if (name === '--coverage' || name === '--coverage.enabled') request.coverage = inlineValue !== 'false';
      request.vitestArgs.push(arg);
    }
  }
  return request;
}

/** @param {string} arg */
function splitOption(arg) {
  const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
  return equals === -1 ? { name: arg } : { name: arg.slice(0, equals), inlineValue: arg.slice(equals + 1) };
}

/** @param {string} source */
function toRegExp(source) {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}
