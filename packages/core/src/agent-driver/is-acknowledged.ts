import type { AgentCommand, AgentEvent } from '../ports/agent-driver.js';

/**
 * Whether the agent's own records show that it did what it was told. What stood there before the command was typed proves
 * nothing, so only events that came after it may be asked about.
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
