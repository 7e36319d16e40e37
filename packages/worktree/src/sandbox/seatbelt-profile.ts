import type { Confinement } from './bubblewrap-arguments.js';
import type { LaidRule } from './laid-rule.js';

/**
 * The profile for `sandbox-exec` of macOS, where the last rule that matches counts. It cannot put one file in the place of
 * another, so that a file with secrets is hidden as a whole, and temporary folders stay shared. Pure.
 */
export function seatbeltProfile({ rules, network }: Omit<Confinement, 'folder'>): string {
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/dev"))',
    ...rules.flatMap(linesOf),
    ...(network ? [] : ['(deny network*)']),
    '(deny mach-lookup (global-name "com.apple.SecurityServer"))', // the keychain
  ].join('\n');
}

function linesOf({ what, path, isFolder, instead }: LaidRule): readonly string[] {
  const where = `(${isFolder ? 'subpath' : 'literal'} ${quote(path)})`;
  switch (what) {
    case 'write':
    case 'scratch':
      return [`(allow file-read* file-write* ${where})`];
    case 'show':
      return [`(allow file-read* ${where})`, `(deny file-write* ${where})`];
    case 'redact':
      return instead === undefined ? [`(deny file-write* ${where})`] : [`(deny file-read* file-write* ${where})`];
    case 'hide':
      return [`(deny file-read* file-write* ${where})`, `(deny network-outbound ${where})`];
  }
}

const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
