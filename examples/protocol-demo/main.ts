// The protocol at work: a scripted model answers well, in a fence, cut off and malformed. Fails where an answer comes out
// other than the model meant it.
//
//   devs debug protocol [--json]
import { describeScreen } from '@devs/cli/screen/screen';
import { createAccountReporter } from './account-reporter.js';
import { runShow } from './run-show.js';
import { createSceneModel } from './scene-model.js';
import { SCENES } from './scenes.js';
import type { Report } from './show-event.js';

const print = (text: string) => void process.stdout.write(`${text}\n`);
const printEvent: Report = (event) => print(JSON.stringify(event));
process.stdout.once('error', () => process.exit()); // the reader, such as `head`, has seen enough

const report = process.argv.includes('--json')
  ? printEvent
  : createAccountReporter(print, describeScreen(process.stdout, process.env));
const { problems } = await runShow({ scenes: SCENES, model: createSceneModel(SCENES), report });
for (const problem of problems) process.stderr.write(`devs: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
