import { compose } from './compose.js';
import { run } from './program/run-cli.js';
import { endWithoutTerminal } from './terminal/relay/end-without-terminal.js';

const INTERRUPTED = 130;
const TERMINATED = 143;
const HUNG_UP = 129;

let isUnread = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isUnread) return;
  if (error.code === 'EPIPE' || error.code === 'EIO') {
    if (!services.isAtWork()) process.exit(error.code === 'EPIPE' ? 0 : HUNG_UP); // `devs … | head`: the reader has seen enough
    isUnread = true;
    process.stderr.write('devs: the output was closed. The run continues; `devs` shows it.\n');
    return;
  }
  process.stderr.write(`devs: cannot write the output: ${error.message}\n`);
  process.exit(1);
});
process.stderr.on('error', () => {}); // no one is left to inform

const services = compose(process);
// What was stored is stored, so that ending in the middle loses nothing; a job that can end well does.
// Who sits in front of a terminal, or supervises here, has a listener of its own.
process.on('SIGINT', () => {
  if (!services.interrupt() && process.listenerCount('SIGINT') === 1) process.exit(INTERRUPTED);
});
// The same for a machine that goes down.
process.on('SIGTERM', () => {
  if (!services.interrupt() && process.listenerCount('SIGTERM') === 1) process.exit(TERMINATED);
});
// A window that is closed, or a connection that is lost, is no reason to stop a run: it is meant to be left alone.
process.on('SIGHUP', () => {
  if (services.isAtWork()) {
    isUnread = true;
    endWithoutTerminal(process, false);
  } else if (process.listenerCount('SIGHUP') === 1) process.exit(HUNG_UP);
});

process.exitCode = await run(process.argv.slice(2), services);
