import type { Report } from './show-event.js';

/** One JSON object on each line, for programs. */
export const createJsonLinesReporter =
  (print: (text: string) => void): Report =>
  (event) =>
    print(JSON.stringify(event));
