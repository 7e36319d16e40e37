import type { OtherRequest, RecordedRequest } from '@devs/scripted-model';
import { Command } from 'commander';
import { jsonOption, wholeNumber } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import type { DebugServices } from './debug-services.js';
import type { ModelServerRequest } from './model-server/serve-model.js';

const PROMPT_CHARACTERS = 40;

/** A request and its answer on one line. */
function renderRequest(request: RecordedRequest): string {
  const prompt = excerpt(request.prompt);
  return `${String(request.number).padStart(3)}  ${visible(request.model)} ${request.purpose} "${prompt}" → ${describeReply(request)}`;
}

const renderOther = ({ method, path, status }: OtherRequest): string => `  ·  ${method} ${visible(path)} → ${status}`;

/** The same facts for a program. The whole request is in the file that --record names. */
const requestAsJson = (request: RecordedRequest): Readonly<Record<string, unknown>> => ({
  event: 'model-request.received',
  number: request.number,
  at: request.at,
  api: request.api,
  model: request.model,
  purpose: request.purpose,
  source: request.source,
  messages: request.messages.length,
  tools: request.tools.length,
  prompt: request.prompt,
  reply: request.reply,
});

function describeReply({ reply, source }: RecordedRequest): string {
  if (reply.kind === 'refusal') return `${reply.error.status} (${source})`;
  const said = reply.parts.map((part) => (part.kind === 'call' ? visible(part.name) : part.kind));
  const ending = reply.ending.kind === 'complete' ? '' : `, ${reply.ending.kind}`;
  return `${said.join(', ')}${ending}; ${reply.usage.input} + ${reply.usage.output} tokens (${source})`;
}

const excerpt = (text: string) => {
  const line = visible(text.slice(0, PROMPT_CHARACTERS));
  return text.length > PROMPT_CHARACTERS ? `${line}…` : line;
};

const MAX_PORT = 65_535;

const MORE_HELP = `
Agents talk to it instead of a real model; it needs no network and no key. What
it answers is in the prompt, in lines that begin with @model, or in a scenario:
  @model say "I look first."       @model usage input=120k output=300
  @model run "npm test"            @model error 529 times=2
  @model tool Read {"file_path":"a.txt"}
packages/scripted-model/README.md has all of them. Ctrl-C ends it.

Examples:
  devs debug model-server --port 8787
  devs debug model-server --scenario night.yaml --record requests.jsonl`;

interface ModelServerFlags {
  readonly scenario?: string;
  readonly port?: number;
  readonly record?: string;
  readonly window?: number;
  readonly untilStdinEnds?: boolean;
  readonly json?: boolean;
}

export function debugModelServerCommand(services: DebugServices, done: (exitCode: number) => void): Command {
  return new Command('model-server')
    .description('Serve a scripted model to agents on this machine')
    .option('--scenario <file>', 'what it answers where the prompt does not say: YAML or JSON')
    .option('--port <number>', 'default: a free one', wholeNumber({ from: 1, to: MAX_PORT }))
    .option('--record <file>', 'add every request to this file, as a line of JSON')
    .option('--window <tokens>', 'refuse longer prompts, as the real API does', wholeNumber({ from: 1 }))
    .option('--until-stdin-ends', 'end when stdin does, as with a parent that goes away')
    .addOption(jsonOption('print what happens as lines of JSON'))
    .addHelpText('after', MORE_HELP)
    .action(async (flags: ModelServerFlags) => {
      const show = outputMode(flags) === 'json' ? jsonShow(services) : textShow(services);
      const request: ModelServerRequest = { ...flags, scenarioFile: flags.scenario, recordFile: flags.record };
      await services.untilInterrupted((signal) => services.serveModel(request, { signal, ...show }));
      done(0);
    });
}

const textShow = ({ print }: DebugServices) => ({
  onReady(url: string) {
    const settings = agentSettings(url).flatMap(({ agent, env, lines }) => [
      '',
      `${agent}:`,
      ...Object.entries(env).map(([name, value]) => `  ${name}=${value}`),
      ...lines.map((line) => `  ${line}`),
    ]);
    print([`The scripted model is at ${url}`, ...settings, ''].join('\n'));
  },
  onRequest: (request: Parameters<typeof renderRequest>[0]) => print(renderRequest(request)),
  onOther: (request: Parameters<typeof renderOther>[0]) => print(renderOther(request)),
});

const jsonShow = ({ print }: DebugServices) => ({
  onReady: (url: string) => print(toJson({ event: 'model-server.started', url, agents: agentSettings(url) })),
  onRequest: (request: Parameters<typeof requestAsJson>[0]) => print(toJson(requestAsJson(request))),
  onOther: (request: Parameters<typeof renderOther>[0]) =>
    print(toJson({ event: 'other-request.received', ...request })),
});

/** Settings that connect an agent CLI to a model server. */
interface AgentSettings {
  readonly agent: string;
  readonly env: Readonly<Record<string, string>>;
  /** Arguments or configuration beside the environment. */
  readonly lines: readonly string[];
}

/** For the versions that `devs` knows; each beside the user's own settings. */
const agentSettings = (url: string): readonly AgentSettings[] => [
  {
    agent: 'claude',
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    lines: [],
  },
  {
    agent: 'codex',
    env: { SCRIPTED_KEY: 'scripted' },
    lines: [
      `-c 'model_provider="scripted"'`,
      `-c 'model_providers.scripted.name="scripted"'`,
      `-c 'model_providers.scripted.base_url="${url}/v1"'`,
      `-c 'model_providers.scripted.wire_api="responses"'`,
      `-c 'model_providers.scripted.env_key="SCRIPTED_KEY"'`,
    ],
  },
  {
    agent: 'opencode (opencode.json)',
    env: {},
    lines: [
      '"model": "scripted/scripted-1",',
      '"provider": { "scripted": { "npm": "@ai-sdk/openai-compatible",',
      `  "options": { "baseURL": "${url}/v1", "apiKey": "scripted" },`,
      '  "models": { "scripted-1": { "tool_call": true } } } }',
    ],
  },
];
