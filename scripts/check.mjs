// `pnpm check [--fix]`: format, lint, types and unused code, without running a test.
import { repoRoot } from './lib/paths.mjs';
import { capture } from './lib/run.mjs';
import { seconds } from './lib/say.mjs';
import { toolPath } from './lib/tools.mjs';

const fix = process.argv.includes('--fix');

/** @type {{ name: string, tool: Parameters<typeof toolPath>[0], args: string[] }[]} */
const CHECKS = [
  { name: 'build', tool: 'tsc', args: ['-b'] }, // first: the others read the types it writes
  { name: 'format and lint', tool: 'biome', args: ['check', '--error-on-warnings', ...(fix ? ['--write'] : [])] },
  { name: 'types of tests, bench, examples, scripts', tool: 'tsc', args: ['-p', 'tsconfig.check.json'] },
  { name: 'types of tests of the page', tool: 'tsc', args: ['-p', 'packages/dashboard/tsconfig.check.json'] },
  { name: 'unused code', tool: 'knip', args: [] },
];

let failed = 0;
for (const { name, tool, args } of CHECKS) {
  const startedAt = performance.now();
  const { code, output } = await capture(process.execPath, [toolPath(tool), ...args], { cwd: repoRoot });
  if (code !== 0) {
    failed += 1;
    process.stdout.write(`${output.trimEnd()}\n`);
  }
  process.stdout.write(`${code === 0 ? 'ok    ' : 'failed'} ${name} (${seconds(startedAt)})\n`);
}
process.exitCode = failed === 0 ? 0 : 1;
