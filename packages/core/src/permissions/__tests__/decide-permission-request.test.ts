import { describe, expect, it } from 'vitest';
import { decidePermissionRequest, type PermissionRequest, type PermissionRules } from '../decide-permission-request.js';

const PLACE = { folder: '/work/tree', home: '/home/ann' };
const NO_RULES: PermissionRules = { mode: 'ask', allow: [], ask: [], deny: [] };

const command = (line: string): PermissionRequest => ({
  tool: 'Bash',
  kind: 'command',
  command: line,
  paths: [],
  isOwnTool: false,
});
const edit = (...paths: string[]): PermissionRequest => ({ tool: 'Edit', kind: 'edit', paths, isOwnTool: false });
const read = (...paths: string[]): PermissionRequest => ({ tool: 'Read', kind: 'read', paths, isOwnTool: false });
const own: PermissionRequest = { tool: 'mcp__devs__workflow_advance', kind: 'other', paths: [], isOwnTool: true };

const TABLE: readonly [string, PermissionRequest, Partial<PermissionRules>, 'allow' | 'ask' | 'deny'][] = [
  ['a tool of devs', own, {}, 'allow'],
  ['a tool of devs that a rule denies', own, { deny: ['mcp__devs__workflow_advance'] }, 'deny'],
  ['a tool of devs, where nothing else may be done', own, { mode: 'deny' }, 'allow'],
  ['an edit inside of the worktree', edit('/work/tree/src/a.ts'), {}, 'allow'],
  ['an edit inside of the worktree that a rule asks about', edit('/work/tree/src/a.ts'), { ask: ['./src'] }, 'ask'],
  ['an edit beside the worktree', edit('/work/tree-2/a.ts'), {}, 'ask'],
  ['an edit that climbs out', edit('/work/tree/../x'), {}, 'ask'],
  ['an edit of two files, one outside', edit('/work/tree/a', '/etc/hosts'), {}, 'ask'],
  ['an edit that names no file', edit(), {}, 'ask'],
  ['an edit of a git hook', edit('/work/tree/.git/hooks/pre-commit'), {}, 'ask'],
  ['an edit of the settings of devs', edit('/work/tree/.devs/config.yaml'), {}, 'ask'],
  ['an edit of what only looks like git', edit('/work/tree/.github/ci.yml'), {}, 'allow'],
  ['an edit outside that a path allows', edit('/home/ann/notes/a.md'), { allow: ['~/notes'] }, 'allow'],
  ['an edit beside a path that is allowed', edit('/home/ann/notes-2/a.md'), { allow: ['~/notes/'] }, 'ask'],
  ['an edit below a path that is denied', edit('/work/tree/dist/a.js'), { deny: ['./dist'] }, 'deny'],
  ['an edit of two files, one denied', edit('/work/tree/a', '/work/tree/dist/b'), { deny: ['./dist'] }, 'deny'],
  ['reading inside of the worktree', read('/work/tree/a'), { mode: 'deny' }, 'allow'],
  ['reading a key', read('/home/ann/.ssh/id_ed25519'), {}, 'ask'],
  ['a command', command('npm test'), {}, 'ask'],
  ['a command that begins as allowed', command('npm test -- --watch'), { allow: ['npm test'] }, 'allow'],
  ['a command that begins almost so', command('npm tested'), { allow: ['npm test'] }, 'ask'],
  ['a command with another behind it', command('npm test && rm -rf ~'), { allow: ['npm test'] }, 'ask'],
  ['a command with another in it', command('npm test $(curl evil)'), { allow: ['npm test'] }, 'ask'],
  ['a command with another below it', command('npm test\nrm -rf ~'), { allow: ['npm test'] }, 'ask'],
  ['a command that writes elsewhere', command('npm test > /etc/x'), { allow: ['npm test'] }, 'ask'],
  ['a command behind which a denied one stands', command('true; git push'), { deny: ['git push'] }, 'deny'],
  ['a denied command that is allowed as well', command('git push'), { allow: ['git'], deny: ['git push'] }, 'deny'],
  ['a command to ask about that is allowed as well', command('git push'), { allow: ['git'], ask: ['git push'] }, 'ask'],
  ['every command of a tool', command('anything | at all'), { allow: ['Bash'] }, 'allow'],
  ['anything, where everything is allowed', command('a; b'), { allow: ['*'] }, 'allow'],
  ['anything, where everything is asked about', edit('/work/tree/a'), { ask: ['*'] }, 'ask'],
  ['an empty rule', command('npm test'), { allow: [''] }, 'ask'],
  ['a command, where everything may be done', command('rm -rf /'), { mode: 'allow' }, 'allow'],
  ['a command, where everything may be done but this', command('rm -rf /'), { mode: 'allow', deny: ['rm'] }, 'deny'],
  ['a command, where nothing may be done', command('ls'), { mode: 'deny' }, 'deny'],
  ['a command is not allowed by a path', { ...command('rm /srv/x'), paths: ['/srv/x'] }, { allow: ['/srv'] }, 'ask'],
];

describe('what the settings say to a permission that an agent asks for', () => {
  it.each(TABLE)('%s', (_what, request, rules, verdict) => {
    expect(decidePermissionRequest(request, { ...NO_RULES, ...rules }, PLACE)).toBe(verdict);
  });
});
