// The host process: `node main.js FOLDER SOCKET GRACE_MS EXITED_GRACE_MS`. Started by `connectHost`, detached.
import { runHost } from './run-host.js';

const [folder = '', socketPath = '', graceMs = '', exitedGraceMs = ''] = process.argv.slice(2);
await runHost({ folder, socketPath, graceMs: Number(graceMs), exitedGraceMs: Number(exitedGraceMs) });
process.exit(0); // only sockets of clients that have not noticed yet remain
