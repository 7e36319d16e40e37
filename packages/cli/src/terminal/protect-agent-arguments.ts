import { isAgentName } from './terminal-world.js';

const WITH_VALUE = ['--name', '--store'];

/**
 * What stands behind the agent's name is the agent's, to the letter: also `--help`, and options that devs has too. What stands
 * before it is ours. Pure: `--name x claude -p hi` becomes `claude --name x -- -p hi`.
 */
export function protectAgentArguments(argv: readonly string[]): readonly string[] {
  let at = 0;
  while (at < argv.length) {
    const word = argv[at] ?? '';
    if (isAgentName(word)) return [word, ...argv.slice(0, at), '--', ...argv.slice(at + 1)];
    if (WITH_VALUE.includes(word)) at += 2;
    else if (WITH_VALUE.some((option) => word.startsWith(`${option}=`))) at += 1;
    else return argv;
  }
  return argv;
}
