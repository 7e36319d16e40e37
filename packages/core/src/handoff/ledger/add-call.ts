import type { ToolCalled } from '../../conversation/conversation-event.js';
import type { Provenance } from '../../conversation/provenance.js';
import type { ToolAction } from '../../conversation/tool-action.js';
import type { JsonObject, JsonValue } from '../../ports/json.js';
import { relativeText } from './add-to-ledger.js';
import { BOUNDS, beginningOf, clampText, touchBounded } from './bounds.js';
import type { Ledger, LedgerFile } from './ledger.js';
import type { MentionKind } from './mention.js';

/** A tool is called: what it names is likely to be needed again; what comes of it is told by the answer. */
export function addCall(
  ledger: Ledger,
  { callId, tool, input, actions, from }: ToolCalled & { from: Provenance },
): void {
  if (from.subAgent === undefined) ledger.step += 1;
  const { folder } = ledger.place;
  const told = actions.map((action) => withRelativePaths(action, folder));
  const waiting = { tool, actions: told.map(asRemembered), step: ledger.step, from };
  touchBounded(ledger.waiting, callId, waiting, BOUNDS.waiting);
  if (told.length === 0) show(ledger, relativeText(valuesOf(input), folder), 'other-input');
  for (const action of told) addAction(ledger, action, from);
}

function addAction(ledger: Ledger, action: ToolAction, from: Provenance): void {
  switch (action.kind) {
    case 'change':
      touchFile(ledger, action, from);
      note(ledger, action.path, 'changed-file');
      show(ledger, action.after, 'new-text', action.path);
      show(ledger, action.before, 'old-text', action.path);
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
      show(ledger, action.url, 'other-input');
      break;
    case 'plan':
      ledger.plan = { text: clampText(action.text), step: ledger.step, from };
      show(ledger, action.text, 'other-input');
      break;
    case 'question':
      show(ledger, action.text, 'other-input');
      break;
    case 'delegation':
      show(ledger, `${action.title} ${action.prompt}`, 'other-input');
      break;
  }
}

function note(ledger: Ledger, text: string, kind: MentionKind, place?: string): void {
  ledger.mentions.act(text.slice(0, BOUNDS.resultChars), { kind, step: ledger.step, place });
}

function show(ledger: Ledger, text: string | undefined, kind: MentionKind, place?: string): void {
  if (text === undefined || text === '') return;
  const raw = beginningOf(text, BOUNDS.resultChars);
  ledger.mentions.show(raw.length, () => raw, { kind, step: ledger.step, place });
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
  return last !== undefined && step - last.step <= RECENT_STEPS ? last.text.slice(-LONGEST_REASON) : undefined;
}

const RECENT_STEPS = 4;
/** Its end tells what came next; hundreds of files have one. */
const LONGEST_REASON = 1_000;

/** What the answer will be added to, without the texts that went into it. */
function asRemembered(action: ToolAction): ToolAction {
  switch (action.kind) {
    case 'change':
      return { kind: 'change', path: action.path, how: action.how };
    case 'command':
      return action.command.length <= LONGEST_KEY
        ? action
        : { ...action, command: clampText(action.command, LONGEST_KEY) };
    case 'search':
      return { ...action, pattern: clampText(action.pattern, LONGEST_KEY) };
    case 'delegation':
      return { ...action, prompt: '' };
    case 'plan':
    case 'question':
      return { ...action, text: clampText(action.text, LONGEST_KEY) };
    case 'read':
    case 'fetch':
      return action;
  }
}

const LONGEST_KEY = 2_000;

function withRelativePaths(action: ToolAction, folder: string | undefined): ToolAction {
  const short = (text: string) => relativeText(text, folder);
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
