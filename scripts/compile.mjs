// Builds, and leaves two doors under `out/` for callers who know devs by the paths of its specification: `npm run compile`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repoRoot } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';

const DOORS = {
  'out/workflow/index.js': `export * from '../../packages/core/dist/workflow/index.js';
export { loadWorkflowTemplate } from '../../packages/mcp/dist/workflow/load-workflow-template.js';
`,
  'out/mcp/server.js': `process.argv.splice(2, 0, 'mcp');
await import('../../packages/cli/bin/devs.mjs');
`,
};

process.exitCode = await prepare();
if (process.exitCode === 0) {
  for (const [file, text] of Object.entries(DOORS)) {
    mkdirSync(dirname(join(repoRoot, file)), { recursive: true });
    writeFileSync(join(repoRoot, file), text);
  }
}
