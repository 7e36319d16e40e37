import { Command } from 'commander';
import { applyDefaults } from '../program/command-defaults.js';
import { storeOption } from '../program/options.js';
import { runProgram } from '../run-program.js';
import { composeHandoff } from './compose-handoff.js';
import { handoffCommand } from './handoff.js';

const HUNG_UP = 129;

/** `devs handoff`, without what the other commands need: to load that takes as long as the handoff. */
export async function handoff(process: NodeJS.Process): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0); // `devs handoff | head`: the reader has seen enough
    if (error.code === 'EIO') process.exit(HUNG_UP);
    process.stderr.write(`devs: cannot write the output: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => {}); // no one is left to inform
  const services = composeHandoff(process);
  let exitCode = 0;
  const command = handoffCommand(services, (code) => {
    exitCode = code;
  });
  const program = new Command('devs').addOption(storeOption()).addCommand(command);
  for (const part of [program, command]) applyDefaults(part, services);
  process.exitCode = await runProgram({ program, argv: process.argv.slice(2), exitCode: () => exitCode }, services);
}
