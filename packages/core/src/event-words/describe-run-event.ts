import type { StoredEvent } from '../ports/event-log.js';
import type { JsonObject, JsonValue } from '../ports/json.js';
import { count, phrase, textOf } from './event-words.js';

/** What happened to a workflow; `undefined` for events of other kinds. */
export function describeRunEvent({ type, data }: Pick<StoredEvent, 'type' | 'data'>): string | undefined {
  const text = (key: string) => textOf(data[key]);
  switch (type) {
    case 'run.opened':
      return `run ${text('run')} started`;
    case 'workflow.started':
      return phrase(`workflow ${textOf((data.template as JsonObject | undefined)?.name)} started`, text('summary'));
    case 'step.completed':
      return phrase(`${text('at')} done`, text('output'));
    case 'step.failed':
      return phrase(`${text('at')} failed`, text('reason'));
    case 'tasks.set':
      return phrase(`${count(listOf(data.tasks).length, 'task')} for ${text('loop')}`, titlesOf(data.tasks));
    case 'artefacts.registered':
      return phrase('files registered', listOf(data.paths).map(textOf).join(', '));
    case 'context-action.asked':
      return `the agent should now run /${text('action')}`;
    case 'context-action.requested':
      return `/${text('action')} requested`;
    case 'context-action.performed':
      return `sent (attempt ${String(data.attempt)}${text('how') === '' ? '' : `, by ${text('how')}`})`;
    case 'context-action.observed':
      return phrase('confirmed', text('evidence'));
    case 'context-action.abandoned':
      return phrase('gave up', text('reason'));
    case 'handoff.written':
      return phrase('handoff', text('text'));
    default:
      return undefined;
  }
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

const titlesOf = (tasks: JsonValue | undefined) =>
  listOf(tasks)
    .map((task) => textOf((task as JsonObject).title))
    .join(', ');
