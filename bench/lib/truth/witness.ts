import { isAbsolute, join, normalize } from 'node:path';
import type { ConversationEvent, ConversationTaskStatus, ToolAction } from '@devs/core';

/**
 * What happened in a conversation, kept whole and without any judgement: the measure of a handoff must not share the ideas
 * of the code that writes it.
 */
export interface Witness {
  /** Where the conversation began. */
  folder: string;
  calls: WitnessedCall[];
  requests: WitnessedRequest[];
  notes: { readonly at: number; readonly text: string }[];
  tasks: Map<string, { title: string; status: ConversationTaskStatus }>;
  /** The last plan that the user approved. */
  plan: string | undefined;
  /** Everything that anybody said or a tool printed. */
  texts: string[];
  conversationId: string;
}

interface WitnessedCall {
  readonly at: number;
  readonly tool: string;
  readonly actions: readonly ToolAction[];
  /** Where the shell was. */
  readonly folder: string;
  readonly isOwn: boolean;
  outcome: 'ok' | 'failed' | 'refused' | undefined;
  text: string;
}

interface WitnessedRequest {
  readonly at: number;
  readonly text: string;
  /** What the agent had said last, where it said anything since the request before. */
  readonly after: string | undefined;
  /** The teammate that asked; missing where it was the user. */
  readonly by: string | undefined;
}

export function witness(events: Iterable<ConversationEvent>): Witness {
  let seen = nothingSeen();
  let folder = '';
  let at = 0;
  const open = new Map<string, WitnessedCall>();
  for (const event of events) {
    at += 1;
    const isOwn = event.from.subAgent === undefined;
    if ('text' in event) seen.texts.push(event.text);
    switch (event.type) {
      case 'conversation.described':
        folder = event.folder ?? folder;
        seen.folder ||= folder;
        seen.conversationId = event.conversationId ?? seen.conversationId;
        break;
      case 'request.made':
        if (isOwn && event.refusing === undefined && event.text.trim() !== '' && !isNews(seen, event.by))
          addRequest(seen, event, at);
        break;
      case 'note.written':
        if (isOwn && event.text.trim() !== '') seen.notes.push({ at, text: event.text });
        break;
      case 'tool.called': {
        const { tool, actions, callId, input } = event;
        const call: WitnessedCall = { at, tool, actions, folder, isOwn, outcome: undefined, text: '' };
        seen.calls.push(call);
        seen.texts.push(Object.values(input).map(asText).join('\n'));
        open.set(callId, call);
        break;
      }
      case 'tool.answered': {
        const call = open.get(event.callId);
        if (call === undefined) break;
        call.outcome = event.outcome;
        call.text = event.text;
        const plan = call.outcome === 'ok' ? planIn(call) : undefined;
        seen.plan = plan ?? seen.plan;
        break;
      }
      case 'tasks.replaced':
        if (isOwn) replaceTasks(seen, event.tasks);
        break;
      case 'task.changed':
        if (isOwn) changeTask(seen, event);
        break;
      case 'context.cleared':
        seen = { ...nothingSeen(), folder, conversationId: seen.conversationId };
        break;
      default:
        break;
    }
  }
  return seen;
}

const nothingSeen = (): Witness => ({
  folder: '',
  calls: [],
  requests: [],
  notes: [],
  tasks: new Map(),
  plan: undefined,
  texts: [],
  conversationId: '',
});

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** What the team says to an agent that a user talks to. */
const isNews = ({ requests }: Witness, by: string | undefined): boolean =>
  by !== undefined && requests.some((request) => request.by === undefined);

function addRequest({ requests, notes }: Witness, { text, by }: { text: string; by?: string }, at: number): void {
  const since = requests.at(-1)?.at ?? 0;
  const after = notes.findLast((note) => note.at > since)?.text;
  requests.push({ at, text, after, by });
}

/** Newer versions keep the plan in a file and repeat it where the user approves it. */
function planIn({ actions, text }: WitnessedCall): string | undefined {
  const [plan] = actions.flatMap((action) => (action.kind === 'plan' ? [action.text] : []));
  if (plan === undefined) return undefined;
  return /## Approved Plan[^\n]*:\n([\s\S]+)$/.exec(text)?.[1]?.trim() ?? plan;
}

function replaceTasks({ tasks }: Witness, all: readonly { title: string; status: ConversationTaskStatus }[]): void {
  for (const key of [...tasks.keys()]) if (key.startsWith('list ')) tasks.delete(key);
  for (const [index, task] of all.entries()) tasks.set(`list ${index}`, task);
}

function changeTask(
  { tasks }: Witness,
  { taskId, title, status }: { taskId: string; title?: string; status?: ConversationTaskStatus },
): void {
  const known = tasks.get(taskId);
  const isAnother = known !== undefined && title !== undefined && title !== known.title && status === 'pending';
  if (isAnother) tasks.set(`${taskId} before`, known);
  const newTitle = title ?? known?.title;
  if (newTitle !== undefined) tasks.set(taskId, { title: newTitle, status: status ?? known?.status ?? 'pending' });
}

/** A path as it would be found from anywhere. */
export const absolute = (path: string, folder: string): string =>
  normalize(isAbsolute(path) || path.startsWith('~') ? path : join(folder, path));

/** Calls that did something to a file, in order. */
export const touchesOf = ({ calls }: Witness, path: string): readonly Touch[] =>
  calls
    .filter(({ outcome }) => outcome === 'ok')
    .flatMap(({ actions, folder }) =>
      actions.flatMap((action) =>
        (action.kind === 'read' || action.kind === 'change') &&
        (absolute(action.path, folder) === path ||
          (action.kind === 'change' && action.movedTo !== undefined && absolute(action.movedTo, folder) === path))
          ? [action]
          : [],
      ),
    );

export type Touch = Extract<ToolAction, { kind: 'read' | 'change' }>;
