import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { makeBundle } from './make-bundle.mjs';
import { requiredThrough } from './required-through.mjs';

const cli = join(repoRoot, 'packages', 'cli');
/** Our modules only define things, so that unused ones can be left out. */
const ourPackages = join(repoRoot, 'packages');

/** Everything else that `devs` does. */
export function bundleCli() {
  const { dependencies } = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'));
  const ours = Object.keys(dependencies).flatMap((name) => (name.startsWith('@devs/') ? [name.slice(6)] : []));
  return makeBundle({
    name: 'the command',
    folder: join(cli, 'dist', 'bundle'),
    entries: {
      main: join(cli, 'dist', 'main.js'),
      'supervise-main': join(cli, 'dist', 'supervise', 'main.js'),
    },
    packages: ['cli', ...ours],
    options: { treeshake: { moduleSideEffects: (id) => !id.startsWith(ourPackages) } },
    plugins: [
      requiredThrough('libsql', '@devs/store'),
      requiredThrough('ioredis', '@devs/store', ['Redis', 'ReplyError']),
      requiredThrough('@xterm/headless', '@devs/terminals'),
      requiredThrough('@xterm/addon-serialize', '@devs/terminals'),
      requiredThrough('@lydell/node-pty', '@devs/terminals'),
      requiredThrough('ws', '@devs/server', ['WebSocket', 'WebSocketServer']),
    ],
  });
}
