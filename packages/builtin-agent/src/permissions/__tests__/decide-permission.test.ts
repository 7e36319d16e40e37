import { describe, expect, it } from 'vitest';
import { decidePermission, describeCall, type PermissionMode, ruleFor } from '../decide-permission.js';

const own = (name: string, isReadOnly = false) => ({ name, isReadOnly, server: 'files' });
const run = (...command: string[]) => ({ tool: own('run_command'), input: { command } });
const write = { tool: own('write_file'), input: { path: 'a.ts', content: '' } };
const read = { tool: own('read_file', true), input: { path: 'a.ts' } };
const decide = (call: Parameters<typeof decidePermission>[0], mode: PermissionMode, ...rules: string[]) =>
  decidePermission(call, { mode, rules });

describe('the permission a call needs', () => {
  it.each([
    ['ask', 'ask'],
    ['allow', 'allowed'],
    ['deny', 'denied'],
  ] as const)('is, in mode %s, where no rule is about it: %s', (mode, decided) => {
    expect([decide(run('npm', 'test'), mode), decide(write, mode)]).toEqual([decided, decided]);
  });

  it('is nothing where it only looks, or is a step of the workflow', () => {
    const advance = { tool: { name: 'workflow_advance', server: 'devs', isReadOnly: false }, input: {} };
    expect([decide(read, 'deny'), decide(advance, 'deny')]).toEqual(['allowed', 'allowed']);
  });

  it('is a permission for tools of other servers, also of those that say of themselves that they only look', () => {
    const other = { tool: { name: 'read_all', server: 'other', isReadOnly: true }, input: {} };
    expect([decide(other, 'ask'), decide(other, 'deny', 'read_all')]).toEqual(['ask', 'allowed']);
  });

  it('is given by rules for tools and for how commands begin, by whole words', () => {
    expect(decide(write, 'deny', 'write_file')).toBe('allowed');
    expect(decide(run('npm', 'test', '--', 'a'), 'deny', 'npm test')).toBe('allowed');
    expect(decide(run('npm', 'tested'), 'deny', 'npm test')).toBe('denied');
    expect(decide(run('npm'), 'deny', 'npm test')).toBe('denied');
    expect(decide(run('npm', 'test'), 'deny', '')).toBe('denied');
  });

  it('cannot be had by a word that has blanks in it', () => {
    expect(decide(run('npm test', 'rm'), 'deny', 'npm test')).toBe('denied');
  });

  it('is given for the same call, and what begins like it, by the answer "always"', () => {
    const call = run('node', '--test', 'a b.js');
    expect(decide(call, 'deny', ruleFor(call))).toBe('allowed');
    expect(decide(run('node', '--test'), 'deny', ruleFor(call))).toBe('denied');
    expect(ruleFor(write)).toBe('write_file');
  });
});

describe('a call in one line', () => {
  it('shows the command or the path, and no control characters', () => {
    expect(describeCall(run('npm', 'test'))).toBe('run_command npm test');
    expect(describeCall(write)).toBe('write_file a.ts');
    expect(describeCall(run('echo', 'a\u001b[2Jb\nc'))).not.toMatch(/\p{Cc}/u);
    expect(describeCall(run('cat', 'a\u202etxt.sh'))).toContain('a<U+202E>txt.sh');
  });
});
