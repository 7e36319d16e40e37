import type { HookCommand } from '@devs/drivers/agents';
import type { Console } from '../screen/console.js';
import type { HookMode } from './hook-agent.js';

export interface HookServices extends Pick<Console, 'print'> {
  /** Takes the payload of an agent's hook from stdin, and never rejects. */
  readonly answerHook: (agent: string, manner: HookMode) => Promise<void>;
  /** The command with which an agent reaches `answerHook`. */
  readonly hookCommand: (agent: string) => HookCommand;
}
