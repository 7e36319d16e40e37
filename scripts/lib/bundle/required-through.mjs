/**
 * What is not put into a bundle is looked for from there, where in a checkout only the dependencies of that package are found.
 * So it is asked of the package of ours whose dependency it is.
 *
 * @param {string} name of something that can be required
 * @param {string} owner
 * @param {string[]} named what is imported of it by name
 * @returns {import('vite').Plugin}
 */
export const requiredThrough = (name, owner, named = []) => ({
  name: `require ${name}`,
  enforce: 'pre',
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load: (id) =>
    id === `\0${name}`
      ? `import { createRequire } from 'node:module';
const found = createRequire(createRequire(import.meta.url).resolve('${owner}'))('${name}');
export default found;
export const { ${named.join(', ')} } = found;`
      : undefined,
});
