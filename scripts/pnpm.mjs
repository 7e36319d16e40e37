// `node scripts/pnpm.mjs …` is the pinned pnpm on a machine that has none: for .ci, and for people without corepack.
import { findPnpm } from './lib/install/pnpm.mjs';
import { run } from './lib/run.mjs';

const { file, args } = await findPnpm();
process.exitCode = await run(file, [...args, ...process.argv.slice(2)]);
