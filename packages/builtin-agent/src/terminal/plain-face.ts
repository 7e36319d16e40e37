import type { Face } from '../session/agent-setup.js';

/** Where there is no terminal: lines, and nobody who could allow anything. */
export const createPlainFace = (print: (text: string) => void): Face => ({
  say: print,
  show: () => undefined,
  ask: async () => 'no',
});
