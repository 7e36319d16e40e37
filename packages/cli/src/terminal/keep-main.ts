import { compose } from '../compose.js';

/** A process of its own, without a terminal: what it is for is in `keep-detached.ts`. */
const [name] = process.argv.slice(3); // behind `--keep-terminal`
if (name !== undefined) await compose(process).terminals.keep(name);
