/** The oldest Node that runs devs; package.json's `engines` says the same, a test compares them. */
export const MINIMUM_NODE = '20.19';

/**
 * What to tell someone whose Node is too old, or `undefined` when it is new enough.
 *
 * Written in old syntax only: this module must still load in the Node that it complains about.
 *
 * @param {string} version such as `20.19.0`
 * @returns {string | undefined}
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = MINIMUM_NODE.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  return `Node ${MINIMUM_NODE} or newer is needed; this is Node ${version}. Install a newer one (https://nodejs.org, or \`nvm install 22\`) and run the command again.`;
}
