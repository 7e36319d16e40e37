// The test script of the root and of every package: builds, then runs vitest over the folder it was started in.
//
//   node ../../scripts/run-tests.mjs [--testPathPattern=RE] [--grep NAME] [--coverage] [any option of vitest]
import { say } from './lib/say.mjs';
import { keepPlain } from './lib/test-run/plain-output.mjs';
import { translateTestArgs } from './lib/test-run/translate-test-args.mjs';

process.exitCode = await main();

async function main() {
  const request = translateTestArgs(process.argv.slice(2));
  if ('usageError' in request) {
    say(request.usageError);
    return 2;
  }
  keepPlain(process.stdout, process.env);
  const { runVitest } = await import('./lib/test-run/run-vitest.mjs');
  return runVitest(request, process.cwd());
}
