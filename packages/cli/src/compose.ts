import type { LlmClient } from '@devs/core';
import { readText } from './examine/read-text.js';
import type { OutputMode } from './output-mode.js';
import { createAccountReporter } from './protocol-show/account-reporter.js';
import { createJsonLinesReporter } from './protocol-show/json-lines-reporter.js';
import { createSceneModel } from './protocol-show/scene-model.js';
import { SCENES } from './protocol-show/scenes.js';
import type { Report } from './protocol-show/show-event.js';
import { readVersion } from './read-version.js';
import { describeScreen, type Screen } from './screen/screen.js';

/** What commands may use of the world. */
export interface Services {
  readonly version: string;
  readonly screen: Screen;
  /** A line, or several, on stdout. */
  readonly print: (text: string) => void;
  /** A line, or several, for people, on stderr. */
  readonly complain: (text: string) => void;
  /** The text of a file, or of stdin where there is no path. */
  readonly readText: (path: string | undefined) => Promise<string>;
  readonly createReporter: (output: OutputMode) => Report;
  readonly scriptedModel: LlmClient;
}

/** The only place where concrete adapters are created. */
export function compose({ stdin, stdout, stderr, env }: NodeJS.Process): Services {
  const print = (text: string) => void stdout.write(`${text}\n`);
  const complain = (text: string) => void stderr.write(`${text}\n`);
  const screen = describeScreen(stdout, env);
  return {
    version: readVersion(),
    screen,
    print,
    complain,
    readText: (path) => readText(path, { stdin, complain }),
    createReporter: (output) =>
      output === 'json' ? createJsonLinesReporter(print) : createAccountReporter(print, screen),
    scriptedModel: createSceneModel(SCENES),
  };
}
