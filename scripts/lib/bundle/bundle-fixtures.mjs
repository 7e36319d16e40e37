import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { makeBundle } from './make-bundle.mjs';
import { requiredThrough } from './required-through.mjs';

const supervisor = join(repoRoot, 'packages', 'supervisor');

/** Programs that the supervisor's tests start hundreds of times: core and the supervisor are 500 modules. */
export const bundleFixtures = () =>
  makeBundle({
    name: 'the test programs',
    folder: join(supervisor, 'dist', 'fixtures'),
    entries: {
      'workflow-worker': join(supervisor, 'fixtures', 'workflow-worker.mjs'),
      'renew-and-die': join(supervisor, 'src', '__tests__', 'programs', 'renew-and-die.mjs'),
      'run-and-die': join(supervisor, 'src', 'run', '__tests__', 'programs', 'run-and-die.mjs'),
    },
    packages: ['core', 'store', 'drivers', 'terminals', 'worktree', 'supervisor'],
    root: supervisor,
    options: { treeshake: { moduleSideEffects: false } },
    plugins: [
      requiredThrough('libsql', '@devs/store'),
      requiredThrough('ioredis', '@devs/store', ['Redis', 'ReplyError']),
      requiredThrough('@xterm/headless', '@devs/terminals'),
      requiredThrough('@xterm/addon-serialize', '@devs/terminals'),
      requiredThrough('@lydell/node-pty', '@devs/terminals'),
    ],
  });
