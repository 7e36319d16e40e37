// Writes the JSON Schemas that are published from the schemas in the code: `pnpm schemas`. Tests compare the two.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './lib/build.mjs';
import { repoRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { say } from './lib/say.mjs';
import { toolPath } from './lib/tools.mjs';

const core = 'packages/core/dist';
const SCHEMAS = [
  {
    file: 'packages/core/schemas/supervisor-state.schema.json',
    from: `${core}/supervisor-state/supervisor-state-json-schema.js`,
    name: 'supervisorStateJsonSchema',
  },
  {
    file: 'packages/core/schemas/handoff-document.schema.json',
    from: `${core}/handoff/document/handoff-document-json-schema.js`,
    name: 'handoffDocumentJsonSchema',
  },
  {
    file: 'workflows/schema.json',
    from: `${core}/workflow/template/template-json-schema.js`,
    name: 'workflowTemplateJsonSchema',
  },
  {
    file: 'workflows/config.schema.json',
    from: `${core}/config/settings-json-schema.js`,
    name: 'settingsJsonSchema',
  },
  {
    file: 'packages/api/openapi.json',
    from: 'packages/api/dist/openapi.js',
    name: 'openApiDocument',
  },
];

process.exitCode = (await build(repoRoot)) || (await write()) || (await format());

async function write() {
  for (const { file, from, name } of SCHEMAS) {
    const module = await import(pathToFileURL(join(repoRoot, from)).href);
    const path = join(repoRoot, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(module[name](), null, 2)}\n`);
    say(`wrote ${file}`);
  }
  await writeGuide();
  return 0;
}

/** The list of operations in the guide, between its marks. */
async function writeGuide() {
  const { renderOperations } = await import(pathToFileURL(join(repoRoot, 'packages/api/dist/index.js')).href);
  const path = join(repoRoot, 'docs/guides/api.md');
  const list = (/** @type {string} */ _, /** @type {string} */ from, /** @type {string} */ to) =>
    `${from}\n\n${renderOperations()}\n\n${to}`;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/(<!-- operations:[^>]*-->).*?(<!-- \/operations -->)/s, list),
  );
  say('wrote docs/guides/api.md');
}

function format() {
  const files = SCHEMAS.map(({ file }) => file);
  return run(process.execPath, [toolPath('biome'), 'format', '--write', ...files], { cwd: repoRoot });
}
