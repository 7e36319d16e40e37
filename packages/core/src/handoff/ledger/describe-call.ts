import type { WaitingCall } from './ledger.js';

/** A call in a few words: `go test ./...`, Read of src/main.go, Grep for “parse”. */
export function describeCall({ tool, actions: [action] }: Pick<WaitingCall, 'tool' | 'actions'>): string {
  switch (action?.kind) {
    case undefined:
      return tool;
    case 'command':
      return action.command;
    case 'change':
    case 'read':
      return `${tool} of ${action.path}`;
    case 'search':
      return `${tool} for ${action.pattern}${action.path === undefined ? '' : ` in ${action.path}`}`;
    case 'fetch':
      return `${tool} of ${action.url}`;
    case 'delegation':
      return `${tool}: ${action.title}`;
    case 'question':
    case 'plan':
      return `${tool}: ${action.text}`;
  }
}
