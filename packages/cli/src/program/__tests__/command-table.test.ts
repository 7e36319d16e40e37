import { PROGRAM_AGENTS } from '@devs/drivers/agents';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../../__tests__/run-here.js';
import { COMMANDS, commandsFor } from '../command-table.js';

describe('the table of commands', () => {
  it('loads each command under its own name', async () => {
    const { done } = createWorld();
    for (const name of [...COMMANDS.keys()].filter((name) => !PROGRAM_AGENTS.includes(name)))
      expect(await done(name, '--help')).toContain(`Usage: devs ${name} `);
  });

  it.each([
    { argv: ['ls', '--json'], loads: 1 },
    { argv: ['task', 'add', 'x'], loads: 1 },
    { argv: ['--help'], loads: 8 },
    { argv: ['-h'], loads: 8 },
    { argv: ['--help', 'lss'], loads: COMMANDS.size },
    { argv: ['help', 'ls'], loads: COMMANDS.size },
    { argv: ['--store', 'sqlite:x.db', 'ls'], loads: COMMANDS.size },
    { argv: ['lss'], loads: COMMANDS.size },
    { argv: ['completion', 'bash'], loads: COMMANDS.size },
  ])('loads $loads for $argv', ({ argv, loads }) => {
    expect(commandsFor(argv)).toHaveLength(loads);
  });
});
