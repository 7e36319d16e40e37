// `pnpm build`
import { build } from './lib/build.mjs';

process.exitCode = await build();
