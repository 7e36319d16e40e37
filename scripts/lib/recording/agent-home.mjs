import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {'claude' | 'codex'} Agent */
/** @typedef {{ home: string, modelUrl: string, permissions: 'allow' | 'ask' }} AgentHome */

/**
 * The home of a user who is logged in, and never was in the project with this agent. Nothing there knows devs.
 *
 * @param {Agent} agent
 * @param {AgentHome} wanted
 */
export const setUpAgent = (agent, wanted) => (agent === 'claude' ? setUpClaude(wanted) : setUpCodex(wanted));

/** @param {AgentHome} wanted */
function setUpClaude({ home, permissions }) {
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark' }));
  mkdirSync(join(home, '.claude'));
  const allowed =
    permissions === 'allow' ? { allow: ['Bash'], defaultMode: 'acceptEdits' } : { defaultMode: 'default' };
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ permissions: allowed }));
}

/** @param {AgentHome} wanted */
function setUpCodex({ home, permissions, modelUrl }) {
  const allowed =
    permissions === 'allow'
      ? 'approval_policy = "never"\nsandbox_mode = "danger-full-access"'
      : 'approval_policy = "on-request"\nsandbox_mode = "read-only"';
  mkdirSync(join(home, '.codex'));
  writeFileSync(
    join(home, '.codex', 'config.toml'),
    `model = "gpt-5.5-codex"
model_provider = "fake"
${allowed}
model_context_window = 200000
[model_providers.fake]
name = "fake"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 1
stream_max_retries = 1
[features]
plugins = false
apps = false
remote_plugin = false
daemon_auto_start = false
`,
  );
}
