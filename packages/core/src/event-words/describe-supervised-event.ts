import type { StoredEvent } from '../ports/event-log.js';
import type { JsonObject, JsonValue } from '../ports/json.js';
import { describeRewinding } from '../run/rewinding-of.js';
import type { Rewinding } from '../run/run-event.js';
import { believed } from '../stored-json.js';
import { count, grouped, numberOf, phrase, textOf } from './event-words.js';

/** What happened to a run besides its workflow; `undefined` for events of other kinds. */
export function describeSupervisedEvent({ type, data }: Pick<StoredEvent, 'type' | 'data'>): string | undefined {
  const text = (key: string) => textOf(data[key]);
  switch (type) {
    case 'run.prepared':
      return phrase(`agent ${text('agent')}, workflow ${text('workflow')}`, text('request'));
    case 'worktree.made':
      return `works in ${text('path')}${text('branch') === '' ? '' : ` on the branch ${text('branch')}`}`;
    case 'run.begun':
      return `supervised by ${text('by')} in terminal ${text('terminal')}`;
    case 'head.observed':
      return `work so far: commit ${text('commit').slice(0, 10)}`;
    case 'run.held':
      return `taken by ${text('machine')}`;
    case 'work.pushed':
      return `work pushed for other machines, at commit ${text('commit').slice(0, 10)}`;
    case 'work.dropped':
      return 'work removed from the remote';
    case 'run.rewound':
      return describeRewinding(believed<Rewinding>({ ...data, againMs: numberOf(data.againMs) }));
    case 'run.paused':
      return phrase('paused', text('why'));
    case 'stop.asked':
      return `stopped by ${text('by')} from another machine`;
    case 'task.held':
      return `holds the task ${text('taskId')}`;
    case 'turn-end.wanted':
      return phrase('a fresh agent takes over after this step', text('why'));
    case 'turn-end.settled':
      return 'the agent continues';
    case 'stuck.noticed':
      return phrase(`stuck (${text('kind')})`, text('detail'));
    case 'tools.missed':
      return phrase('restarting the agent: it has no workflow tools', text('detail'));
    case 'budget.reached':
      return phrase(`the budget ${text('budget')} is reached`, text('detail'));
    case 'escalation.raised':
      return phrase('needs you', text('question') || text('why'));
    case 'escalation.answered':
      return phrase('you answered', text('answer'));
    case 'escalation.unanswered':
      return phrase(
        data.isTyped === true ? 'your answer was typed, but the agent did not take it up' : 'your answer was not sent',
        text('why'),
      );
    case 'escalation.settled':
      return phrase('question settled', text('how'));
    case 'usage.counted':
      return `${count(numberOf(data.turns), 'turn')}, ${grouped(numberOf(data.inputTokens))} tokens in, ${grouped(numberOf(data.outputTokens))} out`;
    case 'commits.observed':
      return phrase(count(listOf(data.commits).length, 'commit'), subjectsOf(data.commits));
    case 'check.ran':
      return `${listOf(data.command).map(textOf).join(' ')} ${data.exitCode === 0 ? 'passed' : `failed with exit code ${String(data.exitCode)}`}`;
    case 'run.finished':
      return phrase(`run finished: ${text('outcome')}`, text('detail'));
    case 'run.merged':
      return `merged into ${text('into')} as ${text('commit').slice(0, 10)}`;
    default:
      return undefined;
  }
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const subjectsOf = (commits: JsonValue | undefined): string =>
  listOf(commits)
    .map((commit) => textOf((commit as JsonObject).subject))
    .join(', ');
