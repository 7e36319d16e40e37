import { PROGRAM_AGENTS } from '@devs/drivers/agents';

const NAME = '--name';
const WITH_VALUE = [NAME, '--store'];

/**
 * What stands behind the agent's name is the agent's, to the letter: also `--help`, and options that devs has too. What stands
 * before it is ours, and so is a `--name` right behind it. Pure: `claude --name x -p hi` becomes `claude --name x -- -p hi`.
 */
export function protectAgentArguments(argv: readonly string[]): readonly string[] {
  let at = 0;
  while (at < argv.length) {
    const word = argv[at] ?? '';
    if (PROGRAM_AGENTS.includes(word)) {
      const named = argv[at + 1] === NAME && argv[at + 2] !== undefined ? argv.slice(at + 1, at + 3) : [];
      return [word, ...argv.slice(0, at), ...named, '--', ...argv.slice(at + 1 + named.length)];
    }
    if (WITH_VALUE.includes(word)) at += 2;
    else if (WITH_VALUE.some((option) => word.startsWith(`${option}=`))) at += 1;
    else return argv;
  }
  return argv;
}
