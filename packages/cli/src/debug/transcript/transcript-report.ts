import { type ConversationEvent, redactText } from '@devs/core';

/** What a transcript holds, in numbers. */
export interface TranscriptReport {
  conversation: { id?: string; folder?: string; branch?: string; model?: string; agentVersion?: string };
  /** What the user asked for; and the other things that stand in the user's place, by kind. */
  requests: number;
  inputs: Record<string, number>;
  notes: number;
  tools: Record<string, ToolCount>;
  usage: UsageSums;
  compactions: { line: number; trigger: string; tokensBefore?: number }[];
  clears: number;
  /** By path: how often it was changed, and read. */
  files: Record<string, { changed: number; read: number }>;
  /** By the name of its conversation: its tool calls. */
  subAgents: Record<string, number>;
}

interface ToolCount {
  calls: number;
  failed: number;
  refused: number;
  /** Without an answer. */
  open: number;
}

interface UsageSums {
  /** Model calls; each is counted once, however many lines tell of it (H14). */
  calls: number;
  outputTokens: number;
  /** The largest context of the agent itself, and the last. */
  peakContextTokens: number;
  lastContextTokens: number;
}

export function createTranscriptReport() {
  const report: TranscriptReport = {
    conversation: {},
    requests: 0,
    inputs: Object.create(null),
    notes: 0,
    tools: Object.create(null),
    usage: { calls: 0, outputTokens: 0, peakContextTokens: 0, lastContextTokens: 0 },
    compactions: [],
    clears: 0,
    files: Object.create(null),
    subAgents: Object.create(null),
  };
  const waiting = new Map<string, string>();
  return {
    report,
    add(events: readonly ConversationEvent[]) {
      for (const event of events) addEvent(report, event, waiting);
    },
  };
}

function addEvent(report: TranscriptReport, event: ConversationEvent, waiting: Map<string, string>): void {
  const isOwn = event.from.subAgent === undefined;
  switch (event.type) {
    case 'conversation.described': {
      const { conversationId, folder, branch, model, agentVersion } = event;
      const known = { id: conversationId, folder, branch, model, agentVersion };
      for (const [key, value] of Object.entries(known)) {
        if (value !== undefined) report.conversation[key as keyof typeof known] = redactText(value);
      }
      return;
    }
    case 'request.made':
      if (isOwn) report.requests += 1;
      return;
    case 'input.noted':
      if (isOwn) report.inputs[event.kind] = (report.inputs[event.kind] ?? 0) + 1;
      return;
    case 'note.written':
      if (isOwn) report.notes += 1;
      return;
    case 'tool.called':
      addCall(report, event, waiting);
      return;
    case 'tool.answered': {
      const tool = waiting.get(event.callId);
      const known = tool === undefined ? undefined : report.tools[tool];
      if (known === undefined || !waiting.delete(event.callId)) return;
      known.open -= 1;
      if (event.outcome !== 'ok') known[event.outcome] += 1;
      return;
    }
    case 'usage.reported':
      report.usage.calls += 1;
      report.usage.outputTokens += event.outputTokens;
      if (!isOwn) return;
      report.usage.lastContextTokens = event.inputTokens;
      report.usage.peakContextTokens = Math.max(report.usage.peakContextTokens, event.inputTokens);
      return;
    case 'usage.grew':
      report.usage.outputTokens += event.outputTokens;
      return;
    case 'context.compacted':
      report.compactions.push({
        line: event.from.line,
        trigger: event.trigger,
        ...(event.tokensBefore === undefined ? {} : { tokensBefore: event.tokensBefore }),
      });
      return;
    case 'context.cleared':
      report.clears += 1;
      return;
    case 'thought.written':
    case 'tasks.replaced':
    case 'task.changed':
    case 'plan.approved':
    case 'summary.written':
      return;
  }
}

function addCall(
  report: TranscriptReport,
  { callId, tool, actions, from }: ConversationEvent & { type: 'tool.called' },
  waiting: Map<string, string>,
): void {
  const known = report.tools[tool] ?? { calls: 0, failed: 0, refused: 0, open: 0 };
  report.tools[tool] = known;
  known.calls += 1;
  known.open += 1;
  waiting.set(callId, tool);
  if (from.subAgent !== undefined) report.subAgents[from.subAgent] = (report.subAgents[from.subAgent] ?? 0) + 1;
  for (const action of actions) {
    if (action.kind !== 'change' && action.kind !== 'read') continue;
    const path = redactText(withinFolder(action.path, report.conversation.folder));
    const file = report.files[path] ?? { changed: 0, read: 0 };
    report.files[path] = file;
    file[action.kind === 'change' ? 'changed' : 'read'] += 1;
  }
}

const withinFolder = (path: string, folder: string | undefined): string =>
  folder !== undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
