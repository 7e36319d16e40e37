import { fileURLToPath } from 'node:url';

/** The root of the checkout. Not `import.meta.dirname`, which the Node that bootstrap complains about does not have. */
export const repoRoot = fileURLToPath(new URL('../..', import.meta.url));
