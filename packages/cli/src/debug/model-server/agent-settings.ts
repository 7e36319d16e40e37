/** Settings that connect an agent CLI to a model server. */
export interface AgentSettings {
  readonly agent: string;
  readonly env: Readonly<Record<string, string>>;
  /** Arguments or configuration beside the environment. */
  readonly lines: readonly string[];
}

/** For the versions that `devs` knows; each beside the user's own settings. */
export const agentSettings = (url: string): readonly AgentSettings[] => [
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
