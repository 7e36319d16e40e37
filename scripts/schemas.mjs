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
    from: `${core}/workflow/template/template-schema.js`,
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

const GUIDES = [
  { file: 'docs/guides/api.md', mark: 'operations', from: 'packages/api/dist/index.js', name: 'renderOperations' },
  {
    file: 'docs/guides/configuration.md',
    mark: 'settings',
    from: `${core}/config/settings-reference.js`,
    name: 'renderSettingsReference',
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
  for (const part of GUIDES) await writeGuide(part);
  return 0;
}

/**
 * The part of a guide between its marks.
 *
 * @param {typeof GUIDES[number]} guide
 */
async function writeGuide({ file, mark, from, name }) {
  const module = await import(pathToFileURL(join(repoRoot, from)).href);
  const path = join(repoRoot, file);
  const between = new RegExp(`(<!-- ${mark}:[^>]*-->).*?(<!-- /${mark} -->)`, 's');
  const part = (/** @type {string} */ _, /** @type {string} */ start, /** @type {string} */ end) =>
    `${start}\n\n${module[name]()}\n\n${end}`;
  writeFileSync(path, readFileSync(path, 'utf8').replace(between, part));
  say(`wrote ${file}`);
}

function format() {
  const files = [...SCHEMAS, ...GUIDES].map(({ file }) => file);
  return run(process.execPath, [toolPath('biome'), 'format', '--write', ...files], { cwd: repoRoot });
}
