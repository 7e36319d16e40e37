import { fileURLToPath } from 'node:url';
import type { PermissionRules } from '@devs/core';
import { createAcpDriver } from '@devs/drivers';
import { type HeldWorld, openHeldWorld } from '../../held/__tests__/held-world.js';
import { runAcp } from '../run-acp.js';

const FIXTURE = fileURLToPath(new URL('../../../fixtures/acp-agent.mjs', import.meta.url));

interface AcpOptions {
  readonly compact?: string;
  readonly rules?: Partial<PermissionRules>;
  readonly instructions?: string;
}

/** The program of devs that holds an ACP agent, with a real agent process behind it. */
export function openAcpWorld({ compact, rules = {}, instructions }: AcpOptions = {}): Promise<HeldWorld> {
  const command = [process.execPath, FIXTURE] as const;
  let ids = 0;
  return openHeldWorld({
    kind: 'ACP',
    conversationId: 'first',
    driver: createAcpDriver(
      { name: 'mine', acp: command, ...(compact === undefined ? {} : { compact }) },
      { clock: Date, everyMs: 20, command: ['devs', 'acp'] },
    ),
    hold: ({ folder, user, streams }) =>
      runAcp({
        setup: {
          name: 'mine',
          command,
          folder,
          user,
          conversationId: 'first',
          servers: {},
          permissions: { mode: 'ask', allow: [], ask: [], deny: [], ...rules },
          compact,
          instructions,
          version: '1.0.0',
          pid: process.pid,
          clock: Date,
          newId: () => `id-${++ids}`,
        },
        ...streams,
      }),
  });
}
