const CAUSES = [
  {
    signs:
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL|FETCH_\d|fetch failed/,
    advice:
      'The package registry cannot be reached. Check the network, the proxy (HTTPS_PROXY) and `npm config get registry`, then run the same command again.',
  },
  {
    signs: /EACCES|EROFS|EPERM|read-only file system|permission denied/i,
    advice:
      'This folder cannot be written to. Clone devs into a folder of your own, or make this one writable (`ls -ld . node_modules` shows who owns it).',
  },
  { signs: /ENOSPC|no space left/i, advice: 'The disk is full. Free some space, then run the same command again.' },
  {
    signs: /OUTDATED_LOCKFILE|FROZEN_LOCKFILE/,
    advice:
      'pnpm-lock.yaml does not fit the package.json files. Run `node scripts/pnpm.mjs install --no-frozen-lockfile` and commit the lockfile.',
  },
  {
    signs: /spawn npm ENOENT|npm: (command )?not found|'npm' is not recognized/,
    advice:
      'npm was not found. It comes with Node: install Node from https://nodejs.org, or put its folder on the PATH.',
  },
];

/**
 * What to do about a failed install, from what it printed or threw.
 *
 * @param {string} output
 */
export const explainInstallFailure = (output) =>
  CAUSES.find(({ signs }) => signs.test(output))?.advice ??
  'The install failed; the lines above say why. To start over, delete node_modules and run the same command again.';
