import type { Face } from '../session/agent-setup.js';

/** Without a terminal: lines only, and no user to grant permissions. */
export const createPlainFace = (print: (text: string) => void): Face => ({
  say: print,
  show: () => undefined,
  ask: async () => 'no',
});
