import { Command } from 'commander';
import type { Services } from '../../compose.js';
import { NAME } from './name-argument.js';

const MORE_HELP = `
After a crash, a reboot or its end: the same conversation, with the options it
was started with. One that still runs is attached.

Example:
  devs resume shop

Exit code: that of the agent; 0 where you detached.`;

export function resumeCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('resume')
    .description('Go on in the conversation of an agent that is gone')
    .argument(...NAME)
    .addHelpText('after', MORE_HELP)
    .action(async (name: string) => done(await services.terminals.resume(name)));
}
