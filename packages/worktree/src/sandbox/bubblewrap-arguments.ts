import { BARE } from './find-sandbox.js';
import type { LaidRule } from './laid-rule.js';

export interface Confinement {
  readonly rules: readonly LaidRule[];
  readonly network: boolean;
  /** Where the command starts. */
  readonly folder: string;
}

/** The options of `bwrap`, up to the command. Pure. */
export function bubblewrapArguments({ rules, network, folder }: Confinement): readonly string[] {
  const hidden = rules.filter(({ what, isFolder }) => what === 'hide' && isFolder);
  return [
    ...BARE,
    ...(network ? [] : ['--unshare-net']),
    ...rules.flatMap(mountOf),
    ...hidden.flatMap(({ path }) => ['--remount-ro', path]), // writes there would be lost silently
    ...['--chdir', folder],
  ];
}

function mountOf({ what, path, isFolder, instead = path }: LaidRule): readonly string[] {
  switch (what) {
    case 'show':
    case 'redact':
      return ['--ro-bind', instead, path];
    case 'write':
    case 'scratch':
      return ['--bind', instead, path];
    case 'hide':
      return isFolder ? ['--tmpfs', path] : ['--ro-bind', instead, path];
  }
}
