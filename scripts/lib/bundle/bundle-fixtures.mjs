import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { makeBundle } from './make-bundle.mjs';
import { requiredThrough } from './required-through.mjs';

const supervisor = join(repoRoot, 'packages', 'supervisor');

/** The workflow part of the fixture agent. Tests start that agent a thousand times, and core alone is 300 modules. */
export const bundleFixtures = () =>
  makeBundle({
    name: 'the fixture agent',
    folder: join(supervisor, 'dist', 'fixtures'),
    entries: { 'workflow-worker': join(supervisor, 'fixtures', 'workflow-worker.mjs') },
    packages: ['core', 'store'],
    root: supervisor,
    options: { treeshake: { moduleSideEffects: false } },
    plugins: [
      requiredThrough('libsql', '@devs/store'),
      requiredThrough('ioredis', '@devs/store', ['Redis', 'ReplyError']),
    ],
  });
