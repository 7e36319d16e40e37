import { z } from 'zod';
import { Done, maybe, Time } from '../schema/common.js';
import { SupervisorStatus } from '../schema/records.js';
import { defineOperation } from './define-operation.js';

export const SUPERVISOR_OPERATIONS = {
  'status.get': defineOperation({
    route: 'GET /v1/status',
    summary: 'Say what the supervisor is and holds',
    scope: 'viewer',
    input: z.strictObject({}),
    output: SupervisorStatus,
  }),
  'supervisor.keep': defineOperation({
    route: 'POST /v1/supervisor/keep',
    summary: 'Keep the supervisor running until `devs down`',
    scope: 'owner',
    input: z.strictObject({}),
    output: Done,
  }),
  'supervisor.shutdown': defineOperation({
    route: 'POST /v1/supervisor/shutdown',
    summary: 'Stop the supervisor; no agent of a terminal is ended',
    scope: 'owner',
    input: z.strictObject({
      how: z
        .enum(['leave', 'pause'])
        .describe('`leave`: the next supervisor continues; `pause`: runs are paused first.'),
    }),
    output: Done,
  }),
  'links.make': defineOperation({
    route: 'POST /v1/links',
    summary: 'Make a key that opens the page once, within 60 s; serve the page where it is not served yet',
    scope: 'owner',
    input: z.strictObject({
      scope: maybe(z.enum(['viewer', 'owner'])),
      port: maybe(z.number().int().min(1).max(65_535)).describe('Default: the one it was served on last.'),
    }),
    output: z.object({ url: z.string().describe('The key is in its fragment.'), until: Time }),
  }),
};

/** Open to callers without a capability: this is how they get one. */
export const DOOR_OPERATIONS = {
  'door.hello': defineOperation({
    route: 'POST /v1/hello',
    summary: 'Ask for a challenge: a file of the socket folder to hold open (Unix socket only)',
    scope: 'viewer',
    input: z.strictObject({}),
    output: z.object({ challenge: z.string() }),
  }),
  'door.prove': defineOperation({
    route: 'POST /v1/prove',
    summary: 'Show which process calls, and get its capability (Unix socket only)',
    scope: 'viewer',
    input: z.strictObject({ challenge: z.string().max(100), pid: z.number().int().positive() }),
    output: z.object({
      token: z.string(),
      scope: z.enum(['owner', 'agent']),
      terminal: maybe(z.string()).describe('Of an agent.'),
    }),
  }),
  'door.login': defineOperation({
    route: 'POST /v1/login',
    summary: 'Exchange the key of a link for a token (loopback only)',
    scope: 'viewer',
    input: z.strictObject({ key: z.string().min(1).max(100) }),
    output: z.object({ token: z.string(), scope: z.enum(['viewer', 'owner']), until: Time }),
  }),
};
