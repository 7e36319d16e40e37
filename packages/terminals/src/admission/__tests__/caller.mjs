// Attacks that an agent may try on the host: `node caller.mjs FOLDER RESULT MANNER`. Writes the outcome of each
// request.
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connectHost } from '@devs/terminals';

const [folder = '', result = '', manner = 'plain'] = process.argv.slice(2);
const END = { graceMs: 0 };

if (manner === 'orphan') {
  // Without environment, session, group and parents: only the kernel's own records still link it to the agent.
  const args = [fileURLToPath(import.meta.url), folder, result, 'plain'];
  spawn(process.execPath, args, { env: {}, detached: true, stdio: 'ignore' }).unref();
} else await call();

async function call() {
  const { host } = await connectHost({ folder });
  const ended = async (request) => {
    try {
      return { done: await request() };
    } catch (error) {
      return { refused: error.message };
    }
  };
  const report = {
    list: await ended(async () => (await host.list()).map(({ terminalId }) => terminalId)),
    write: await ended(() => host.write({ handle: 1 }, 'y\r')),
    watch: await ended(() => host.watch({ terminalId: 'other', onOutput() {} })),
    end: await ended(() => host.end('other', END)),
    spawn: await host.spawn({ terminalId: 'new', file: 'true', args: [], cwd: folder, env: {}, columns: 80, rows: 24 }),
  };
  writeFileSync(`${result}.draft`, JSON.stringify(report));
  renameSync(`${result}.draft`, result);
  host.close();
}
