import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { renderCompletion } from '../completion.js';

const COMMANDS = [
  { path: 'run', description: 'Take it', options: ['--agent', '--detach'] },
  { path: 'task', description: "What's to do", options: [] },
  { path: 'task add', description: 'Add it', options: ['--json'] },
];

const completed = (...words: readonly string[]): readonly string[] => {
  const typed = ['devs', ...words].map((word) => `"${word}"`).join(' ');
  const script = `${renderCompletion('bash', COMMANDS)}
COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _devs; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
};

it('completes commands, groups and options in bash', () => {
  expect(completed('')).toEqual(['run', 'task', '--help', '--version']);
  expect(completed('task', '')).toEqual(['add']);
  expect(completed('run', '--d')).toEqual(['--detach']);
  expect(completed('task', 'add', '--')).toEqual(['--json']);
});

it('is read by fish as one line for each command and option', () => {
  expect(renderCompletion('fish', COMMANDS).split('\n')[3]).toBe(
    "complete -c devs -f -n '__fish_use_subcommand' -a 'task' -d 'What\\'s to do'",
  );
});
