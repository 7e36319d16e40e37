type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment for a git that only looks: no variable of the caller's git (inside a hook they point at another
 * repository or index), no lock, no question, no network, English messages. Pure.
 */
export function gitEnvironment(env: Environment): Environment {
  const kept = Object.entries(env).filter(([name]) => KEPT.has(name) || !DROPPED.test(name));
  return { ...Object.fromEntries(kept), ...OWN };
}

const DROPPED = /^(?:GIT_.*|LC_.*|LANG|LANGUAGE|SSH_ASKPASS|EDITOR|VISUAL|PAGER)$/i;

/** Where git and its settings are, how far up it looks for a repository, and who the user is: true for any repository. */
const KEPT = new Set([
  'GIT_EXEC_PATH',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
]);

const OWN = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: '', // a partial clone would fetch missing objects
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
};

/** Settings in front of every command, so that nothing the user has configured is run or changes what git prints. */
export const GIT_SETTINGS: readonly string[] = [
  '--no-pager',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'safe.bareRepository=explicit', // a folder of the project may be a bare repository with hostile settings
    'commit.gpgSign=false', // no user is present to type the passphrase
    'color.ui=false',
    'log.showSignature=false',
    'status.renames=true',
    'diff.renames=true',
    'diff.relative=false',
  ].flatMap((setting) => ['-c', setting]),
];
