import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { PermissionRules } from '@devs/core';
import { createClaudeCodeDriver } from '@devs/drivers';
import { type HeldWorld, openHeldWorld } from '../../held/__tests__/held-world.js';
import { runStream } from '../run-stream.js';

const FIXTURE = fileURLToPath(new URL('../../../fixtures/stream-agent.mjs', import.meta.url));

export type StreamWorld = HeldWorld;

interface StreamOptions {
  readonly rules?: Partial<PermissionRules>;
}

/** The program of devs that holds a Claude Code, with a program behind it that speaks as Claude Code does. */
export function openStreamWorld({ rules = {} }: StreamOptions = {}): Promise<StreamWorld> {
  const conversationId = randomUUID();
  return openHeldWorld({
    kind: 'STREAM',
    conversationId,
    driver: createClaudeCodeDriver({ clock: Date, everyMs: 20, holder: ['node', 'devs', 'stream-json'] }),
    program: '/usr/bin/node',
    hold: ({ folder, user, streams }) =>
      runStream({
        setup: {
          name: 'claude',
          command: [process.execPath, FIXTURE, `--session-id=${conversationId}`],
          folder,
          user,
          conversationId,
          permissions: { mode: 'ask', allow: [], ask: [], deny: [], ...rules },
          pid: process.pid,
          clock: Date,
          newId: randomUUID,
        },
        ...streams,
      }),
  });
}
