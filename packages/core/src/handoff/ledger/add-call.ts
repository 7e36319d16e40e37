import type { ToolCalled } from '../../conversation/conversation-event.js';
import type { Provenance } from '../../conversation/provenance.js';
import type { ToolAction } from '../../conversation/tool-action.js';
import type { JsonObject, JsonValue } from '../../ports/json.js';
import { relativeText } from './add-to-ledger.js';
import { BOUNDS, clampText, touchBounded } from './bounds.js';
import type { Ledger, LedgerFile } from './ledger.js';
import { type MentionKind, mention } from './mentions.js';

/** A tool is called: what it names is likely to be needed again; what comes of it is told by the answer. */
export function addCall(
  ledger: Ledger,
  { callId, tool, input, actions, from }: ToolCalled & { from: Provenance },
): void {
  if (from.subAgent === undefined) ledger.step += 1;
  const told = actions.map((action) => withRelativePaths(action, ledger));
  touchBounded(ledger.waiting, callId, { tool, actions: told, step: ledger.step, from }, BOUNDS.waiting);
  if (told.length === 0) note(ledger, relativeText(valuesOf(input), ledger), 'other-input');
  for (const action of told) addAction(ledger, action, from);
}

function addAction(ledger: Ledger, action: ToolAction, from: Provenance): void {
  switch (action.kind) {
    case 'change':
      touchFile(ledger, action, from);
      note(ledger, action.path, 'changed-file');
      note(ledger, action.after ?? '', 'new-text', action.path);
      note(ledger, action.before ?? '', 'old-text', action.path);
      break;
    case 'read':
      touchFile(ledger, action, from);
      note(ledger, action.path, 'read-file');
      break;
    case 'command':
      note(ledger, action.command, 'command');
      break;
    case 'search':
      note(ledger, [action.pattern, action.path, action.glob].join(' '), 'search', action.path);
      break;
    case 'fetch':
      note(ledger, action.url, 'other-input');
      break;
    case 'plan':
      ledger.plan = { text: clampText(action.text), step: ledger.step, from };
      note(ledger, action.text, 'other-input');
      break;
    case 'question':
      note(ledger, action.text, 'other-input');
      break;
    case 'delegation':
      note(ledger, `${action.title} ${action.prompt}`, 'other-input');
      break;
  }
}

function note(ledger: Ledger, text: string, kind: MentionKind, place?: string): void {
  mention(ledger.mentions, text.slice(0, BOUNDS.resultChars), { kind, step: ledger.step, place });
}

function touchFile(ledger: Ledger, action: ToolAction & { kind: 'change' | 'read' }, from: Provenance): void {
  const known = ledger.files.get(action.path);
  const file: LedgerFile = known ?? {
    path: action.path,
    changes: 0,
    how: undefined,
    reads: 0,
    lines: [],
    why: undefined,
    step: ledger.step,
    from,
  };
  file.step = ledger.step;
  file.from = from;
  if (action.kind === 'change') {
    file.changes += 1;
    file.how = file.how === 'written' && action.how === 'edited' ? 'written' : action.how;
    file.why = reasonFor(ledger) ?? file.why;
  } else {
    file.reads += 1;
    if (file.changes === 0) file.why = reasonFor(ledger) ?? file.why;
    if (action.lines !== undefined) file.lines = [...file.lines, action.lines].slice(-BOUNDS.linesPerFile);
  }
  touchBounded(ledger.files, action.path, file, BOUNDS.files);
}

/** What the agent said just before: as a rule, what it was about to do. */
function reasonFor({ notes, step }: Ledger): string | undefined {
  const last = notes.at(-1);
  return last !== undefined && step - last.step <= RECENT_STEPS ? last.text : undefined;
}

const RECENT_STEPS = 4;

function withRelativePaths(action: ToolAction, ledger: Ledger): ToolAction {
  const short = (text: string) => relativeText(text, ledger);
  switch (action.kind) {
    case 'change':
    case 'read':
      return { ...action, path: short(action.path) };
    case 'command':
      return { ...action, command: short(action.command) };
    case 'search':
      return {
        ...action,
        pattern: short(action.pattern),
        ...(action.path === undefined ? {} : { path: short(action.path) }),
      };
    case 'plan':
    case 'question':
      return { ...action, text: short(action.text) };
    case 'delegation':
      return { ...action, prompt: short(action.prompt) };
    case 'fetch':
      return action;
  }
}

/** The texts in an input, without the names of its fields. */
function valuesOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return '';
  return Object.values(value as JsonObject)
    .map(valuesOf)
    .join('\n');
}
