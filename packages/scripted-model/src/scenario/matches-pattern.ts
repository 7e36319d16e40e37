import { createContext, Script } from 'node:vm';

/** A pattern that goes astray must not hold up all others. */
const MAX_MS = 2_000;
const MATCH = new Script('pattern.test(text)');

/** Whether a text matches; `undefined` where finding out takes too long. */
export function matchesPattern(source: string, text: string): boolean | undefined {
  try {
    return MATCH.runInContext(createContext({ pattern: new RegExp(source, 'u'), text }), { timeout: MAX_MS });
  } catch {
    return undefined;
  }
}
