import { runSupervisor } from './run-supervisor.js';

const IDLE_MS = 30_000;

process.on('unhandledRejection', (error) => process.stderr.write(`devs: ${String(error)}\n`));
await runSupervisor(process, { keeps: false, idleMs: IDLE_MS });
process.exit(0); // what is left are sockets of clients that have not noticed yet
