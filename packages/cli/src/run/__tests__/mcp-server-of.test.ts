import { expect, it } from 'vitest';
import { mcpServerOf } from '../mcp-server-of.js';

const REQUEST = {
  devsCommand: ['node', 'devs.mjs'],
  worktree: '/w',
  repoRoot: '/r',
  location: { kind: 'project' },
  env: { PATH: '/bin' },
} as const;

it('names nothing of the environment that every server gets', () => {
  expect(mcpServerOf(REQUEST)).toEqual({
    command: 'node',
    args: ['devs.mjs', 'mcp', '--worktree', '/w', '--repo-root', '/r'],
  });
});

it('is told where to report, where a run waits for its tools', () => {
  expect(mcpServerOf({ ...REQUEST, toolsReport: '/p/tools.json' }).args.slice(-2)).toEqual([
    '--report-to',
    '/p/tools.json',
  ]);
});

it('says where the agreements of the user are, for an agent that passes on no environment', () => {
  const { env } = mcpServerOf({ ...REQUEST, env: { PATH: '/bin', XDG_STATE_HOME: '/state' } });
  expect(env).toEqual({ XDG_STATE_HOME: '/state' });
});

it('passes the address of a shared store, which may hold a password, outside of the command line', () => {
  const server = mcpServerOf({ ...REQUEST, location: { kind: 'redis', url: 'redis://u:secret@h' } });
  expect(server.env).toEqual({ DEVS_STORE: 'redis://u:secret@h' });
  expect(server.args.join(' ')).not.toContain('secret');
});
