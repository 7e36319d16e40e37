// Real agents against the scripted model: one prompt with a shell command each, with separate home folders.
//
// CLAUDE_BIN=… CODEX_BIN=… OPENCODE_BIN=… node packages/scripted-model/trials/real-agents.mjs [claude|codex|opencode …]
//
// Prints the received requests; exits with 1 if an agent did not follow its script.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../dist/index.js';

const MAX_MS = 90_000;
const PROMPT = `Please look around.
@model think "What is there?"
@model say "I look first."
@model run "echo made by an agent > made.txt"
@model error 529 times=1 retry-after=0
@model usage input=120k output=300
@model say "Looked around."`;

const codexOption = (key, value) => ['-c', `${key}=${JSON.stringify(value)}`];

const AGENTS = {
  claude: ({ url }) => ({
    file: process.env.CLAUDE_BIN ?? 'claude',
    args: ['-p', PROMPT, '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: 'scripted',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    },
  }),
  codex: ({ url, home }) => ({
    file: process.env.CODEX_BIN ?? 'codex',
    args: [
      'exec',
      '--skip-git-repo-check',
      ...codexOption('model_provider', 'scripted'),
      ...codexOption('model_providers.scripted.name', 'scripted'),
      ...codexOption('model_providers.scripted.base_url', `${url}/v1`),
      ...codexOption('model_providers.scripted.wire_api', 'responses'),
      ...codexOption('model_providers.scripted.env_key', 'SCRIPTED_KEY'),
      ...codexOption('sandbox_mode', 'danger-full-access'),
      ...codexOption('approval_policy', 'never'),
      PROMPT,
    ],
    env: { CODEX_HOME: home, SCRIPTED_KEY: 'scripted' },
  }),
  opencode: ({ url, home }) => {
    const folder = join(home, '.config', 'opencode');
    const options = { baseURL: `${url}/v1`, apiKey: 'scripted' };
    const models = { 'scripted-1': { tool_call: true, limit: { context: 200_000, output: 8_192 } } };
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'opencode.json'),
      JSON.stringify({
        provider: { scripted: { npm: '@ai-sdk/openai-compatible', options, models } },
        model: 'scripted/scripted-1',
        small_model: 'scripted/scripted-1',
        autoupdate: false,
        share: 'disabled',
        permission: { bash: 'allow' },
      }),
    );
    return {
      file: process.env.OPENCODE_BIN ?? 'opencode',
      args: ['run', PROMPT],
      env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
    };
  },
};

const wanted = process.argv.slice(2);
for (const [name, prepare] of Object.entries(AGENTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (!(await tryAgent(name, prepare))) process.exitCode = 1;
}

async function tryAgent(name, prepare) {
  const folder = mkdtempSync(join(tmpdir(), `devs-${name}-`));
  const [home, cwd] = ['home', 'work'].map((part) => join(folder, part));
  for (const made of [home, cwd]) mkdirSync(made);
  const server = await startModelServer();
  try {
    const { file, args, env } = prepare({ url: server.url, home });
    const ran = await run(file, args, { cwd, env: { PATH: process.env.PATH, HOME: home, ...env } });
    if (ran === 'missing') return say(name, 'is not installed; skipped') ?? true;
    for (const { number, path, model, purpose, source, outcome, tools } of server.requests()) {
      say(name, `${number} ${path} ${model} ${purpose} ${tools.length} tools: ${source}, ${outcome}`);
    }
    for (const { method, path, status } of server.others()) say(name, `${method} ${path}: ${status}`);
    const isDone = ran.includes('Looked around.') && readFileSync(join(cwd, 'made.txt'), 'utf8').includes('made by');
    say(name, isDone ? 'did what its script says' : `did not do what its script says:\n${ran}`);
    return isDone;
  } catch (error) {
    say(name, `did not do what its script says: ${error.message}`);
    return false;
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Its output; `missing` without such a program. */
function run(file, args, options) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: MAX_MS });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (printed += text));
    child.on('error', ({ code }) => resolve(code === 'ENOENT' ? 'missing' : String(code)));
    child.on('close', () => resolve(printed));
  });
}

function say(name, text) {
  process.stdout.write(`${name}: ${text}\n`);
}
