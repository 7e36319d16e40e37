import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The settings of a user whose opencode talks to this model, and to no other. */
export function setUpOpencode(configHome: string, modelUrl: string, more: object = {}): void {
  mkdirSync(join(configHome, 'opencode'), { recursive: true });
  writeFileSync(
    join(configHome, 'opencode', 'opencode.json'),
    JSON.stringify({
      model: 'scripted/scripted-1',
      small_model: 'scripted/scripted-1',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${modelUrl}/v1`, apiKey: 'scripted' },
          models: {
            'scripted-1': {
              tool_call: true,
              limit: { context: 200_000, output: 8_192 },
              cost: { input: 3, output: 15 },
            },
          },
        },
      },
      ...more,
    }),
  );
}

/** Offline: it would look for a newer version, for models and for language servers. */
export const OPENCODE_OFFLINE = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
};
