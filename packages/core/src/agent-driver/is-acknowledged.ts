import type { AgentCommand, AgentEvent } from '../ports/agent-driver.js';

/**
 * Whether the agent's own records show that it executed the command. Records from before the command prove nothing, so
 * pass only later events.
 */
export function isAcknowledged(command: AgentCommand, event: AgentEvent): boolean {
  switch (command) {
    case 'compact':
      return event.type === 'compaction.seen' && !event.isPast;
    case 'clear':
      return event.type === 'conversation.changed' && !event.isPast && event.before !== undefined;
    case 'exit':
      return event.type === 'terminal.exited';
  }
}
