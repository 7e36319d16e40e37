import { visible } from '../screen/visible.js';

/** A repository must not replace what ships with devs. */
export const describeIgnored = (shown: string): string =>
  `${visible(shown)} has the name of a workflow that comes with devs, and you did not make it: ignored. Rename it to use it.`;
