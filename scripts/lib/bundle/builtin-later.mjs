/**
 * A part of Node that is loaded when one of its functions is first called: a short program that needs it rarely starts sooner.
 *
 * @param {string} name such as `node:crypto`
 * @param {string[]} functions what is used of it
 * @returns {import('vite').Plugin}
 */
export const builtinLater = (name, functions) => ({
  name: `${name} later`,
  enforce: 'pre',
  resolveId: (id) => (id === name ? `\0later:${name}` : undefined),
  load: (id) =>
    id === `\0later:${name}`
      ? functions
          .map((each) => `export const ${each} = (...given) => process.getBuiltinModule('${name}').${each}(...given);`)
          .join('\n')
      : undefined,
});
