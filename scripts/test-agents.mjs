// `pnpm test:agents`: the tests with real agent programs, against a scripted model on loopback. Not part of `npm test`:
// the programs are large, and come from a package registry.
//
//   node scripts/test-agents.mjs [part of a file name…]
import { build } from './lib/build.mjs';
import { AGENT_PROGRAMS, installProgram } from './lib/install/programs.mjs';
import { say } from './lib/say.mjs';
import { keepPlain } from './lib/test-run/plain-output.mjs';

process.exitCode = await main();

async function main() {
  const wanted = process.argv.slice(2).filter((arg) => arg !== '--');
  const missing = [];
  for (const program of AGENT_PROGRAMS) {
    const file = await installProgram(program);
    if (file === undefined) missing.push(`${program.name} ${program.version}`);
    else process.env[program.variable] = file;
  }
  if (missing.length > 0) {
    say(`not tested: ${missing.join(', ')} is not installed and could not be.`);
    return 0;
  }
  const exitCode = await build();
  if (exitCode !== 0) return exitCode;
  keepPlain(process.stdout, process.env);
  const { runAgentTests } = await import('./lib/test-run/run-agent-tests.mjs');
  return runAgentTests(wanted);
}
