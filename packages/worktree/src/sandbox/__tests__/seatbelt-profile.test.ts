import { describe, expect, it } from 'vitest';
import { bubblewrapArguments } from '../bubblewrap-arguments.js';
import type { LaidRule } from '../laid-rule.js';
import { seatbeltProfile } from '../seatbelt-profile.js';

const RULES: readonly LaidRule[] = [
  { what: 'scratch', path: '/private/tmp', isFolder: true, instead: '/private/tmp/own/a' },
  { what: 'hide', path: '/Users/anna/.ssh', isFolder: true },
  { what: 'hide', path: '/Users/anna/.netrc', isFolder: false, instead: '/own/empty' },
  { what: 'redact', path: '/Users/anna/.npmrc', isFolder: false, instead: '/own/npmrc' },
  { what: 'write', path: '/Users/anna/a "b"', isFolder: true },
  { what: 'show', path: '/Users/anna/a "b"/.git', isFolder: false },
];

describe('the profile for macOS', () => {
  it('denies first and then allows deeper paths: the last matching rule wins', () => {
    expect(seatbeltProfile({ rules: RULES, network: false })).toBe(
      [
        '(version 1)',
        '(allow default)',
        '(deny file-write*)',
        '(allow file-write* (subpath "/dev"))',
        '(allow file-read* file-write* (subpath "/private/tmp"))',
        '(deny file-read* file-write* (subpath "/Users/anna/.ssh"))',
        '(deny network-outbound (subpath "/Users/anna/.ssh"))',
        '(deny file-read* file-write* (literal "/Users/anna/.netrc"))',
        '(deny network-outbound (literal "/Users/anna/.netrc"))',
        '(deny file-read* file-write* (literal "/Users/anna/.npmrc"))',
        '(allow file-read* file-write* (subpath "/Users/anna/a \\"b\\""))',
        '(allow file-read* (literal "/Users/anna/a \\"b\\"/.git"))',
        '(deny file-write* (literal "/Users/anna/a \\"b\\"/.git"))',
        '(deny network*)',
        '(deny mach-lookup (global-name "com.apple.SecurityServer"))',
      ].join('\n'),
    );
  });

  it('leaves the network alone where it is allowed', () => {
    expect(seatbeltProfile({ rules: [], network: true })).not.toContain('(deny network*)');
  });
});

describe('the arguments of bubblewrap', () => {
  it('lay the rules over a read-only system in order, and close hidden paths at the end', () => {
    const args = bubblewrapArguments({ rules: RULES, network: false, folder: '/Users/anna/a "b"' });
    expect(args).toEqual([
      ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL'],
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
      ...['--ro-bind', '/proc/sys', '/proc/sys', '--unshare-net'],
      ...['--bind', '/private/tmp/own/a', '/private/tmp', '--tmpfs', '/Users/anna/.ssh'],
      ...['--ro-bind', '/own/empty', '/Users/anna/.netrc', '--ro-bind', '/own/npmrc', '/Users/anna/.npmrc'],
      ...['--bind', '/Users/anna/a "b"', '/Users/anna/a "b"'],
      ...['--ro-bind', '/Users/anna/a "b"/.git', '/Users/anna/a "b"/.git'],
      ...['--remount-ro', '/Users/anna/.ssh', '--chdir', '/Users/anna/a "b"'],
    ]);
  });
});
