import type { StoredEvent } from '../ports/event-log.js';
import type { JsonValue } from '../ports/json.js';
import { describeRunEvent } from './describe-run-event.js';
import { describeSupervisedEvent } from './describe-supervised-event.js';
import { describeTerminalEvent } from './describe-terminal-event.js';
import { phrase, textOf } from './event-words.js';

/** An event in plain words, on one line. Its text is as stored, and not yet safe to show. */
export function describeEvent({ type, data }: Pick<StoredEvent, 'type' | 'data'>): string {
  const text = (key: string) => textOf(data[key]);
  switch (type) {
    case 'task.added':
      return phrase('added', text('intent')) + waitsFor(data.depends_on);
    case 'task.claimed':
      return text('by') === '' ? 'started' : `started by ${text('by')}`;
    case 'task.completed':
      return phrase('done', text('result'));
    case 'task.failed':
      return phrase('failed', text('reason'));
    case 'task.blocked':
      return phrase('blocked', text('reason'));
    case 'task.unblocked':
      return 'unblocked';
    case 'task.released':
      return 'given back';
    case 'task.expired':
      return `given back: the lease of ${text('by') || 'its holder'} was over`;
    case 'task.retried':
      return 'to be done again';
    case 'task.edited':
      return phrase('edited', [text('intent'), priorityIn(data.priority)].filter((part) => part !== '').join(', '));
    case 'task.removed':
      return 'removed';
    case 'dependent.added':
      return 'others wait for it';
    case 'dependency.completed':
      return `waits no longer for ${text('on')}`;
    case 'dependency.reopened':
      return `waits for ${text('on')} again`;
    default:
      return (
        describeRunEvent({ type, data }) ??
        describeSupervisedEvent({ type, data }) ??
        describeTerminalEvent({ type, data }) ??
        (Object.keys(data).length === 0 ? type : `${type} ${JSON.stringify(data)}`)
      );
  }
}

function waitsFor(dependencies: JsonValue | undefined): string {
  const ids = Array.isArray(dependencies) ? dependencies.filter((id) => typeof id === 'string') : [];
  return ids.length === 0 ? '' : ` (after ${ids.join(', ')})`;
}

const priorityIn = (priority: JsonValue | undefined): string =>
  typeof priority === 'number' ? `priority ${priority}` : '';
