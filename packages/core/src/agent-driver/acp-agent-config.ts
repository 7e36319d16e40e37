import { z } from 'zod';
import type { GenericAgentConfig } from './generic-agent-config.js';

/** An agent that speaks the Agent Client Protocol over its standard input and output. */
export const AcpAgentConfig = z.strictObject({
  /** As the user names it. */
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a word in small letters'),
  /** The program and its arguments. */
  acp: z.array(z.string()).min(1),
  /** What it takes as a prompt to shorten its conversation, and reports; without it, it is never asked to. */
  compact: z.string().optional(),
});
export type AcpAgentConfig = z.infer<typeof AcpAgentConfig>;

/** An agent that the user describes in the settings. */
export type OwnAgentConfig = GenericAgentConfig | AcpAgentConfig;
