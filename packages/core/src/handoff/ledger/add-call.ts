import type { ToolCalled } from '../../conversation/conversation-event.js';
import type { Provenance } from '../../conversation/provenance.js';
import type { ToolAction } from '../../conversation/tool-action.js';
import type { JsonObject, JsonValue } from '../../ports/json.js';
import { pathFromShell, relativePath, relativeText } from '../relative-text.js';
import { safeText } from '../safe-text.js';
import { BOUNDS, beginningOf, clampText, touchBounded } from './bounds.js';
import type { Ledger } from './ledger.js';
import type { MentionKind } from './mention.js';

/** A tool is called: what it names is likely to be needed again; what comes of it is told by the answer. */
export function addCall(
  ledger: Ledger,
  { callId, tool, input, actions, from }: ToolCalled & { from: Provenance },
): void {
  if (from.subAgent === undefined) ledger.step += 1;
  const told = actions.map((action) => withRelativePaths(action, ledger.place));
  const waiting = { tool, actions: told.map(asRemembered), step: ledger.step, from };
  touchBounded(ledger.waiting, callId, waiting, BOUNDS.waiting);
  if (told.length === 0) show(ledger, valuesOf(input), 'other-input');
  for (const action of told) addAction(ledger, action, from);
}

function addAction(ledger: Ledger, action: ToolAction, from: Provenance): void {
  switch (action.kind) {
    case 'change':
      note(ledger, action.path, 'changed-file');
      show(ledger, action.after, 'new-text', action.path);
      show(ledger, action.before, 'old-text', action.path);
      break;
    case 'read':
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
      if (action.text !== '' && from.subAgent === undefined) propose(ledger, action.text, from);
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

/** What was approved holds until something else is. */
function propose(ledger: Ledger, text: string, from: Provenance): void {
  if (ledger.plan?.isApproved !== true)
    ledger.plan = { text: clampText(text), step: ledger.step, from, isApproved: false };
}

function note(ledger: Ledger, text: string, kind: MentionKind, place?: string): void {
  const told = relativeText(text.slice(0, BOUNDS.resultChars), ledger.place.folder);
  ledger.mentions.act(told, { kind, step: ledger.step, place });
}

function show(ledger: Ledger, text: string | undefined, kind: MentionKind, place?: string): void {
  if (text === undefined || text === '') return;
  const raw = beginningOf(text, BOUNDS.resultChars);
  const { folder } = ledger.place;
  ledger.mentions.show(raw.length, () => safeText(relativeText(raw, folder)), { kind, step: ledger.step, place });
}

/** What the answer will be added to, without the texts that went into it. */
function asRemembered(action: ToolAction): ToolAction {
  switch (action.kind) {
    case 'change':
      return {
        kind: 'change',
        path: action.path,
        how: action.how,
        ...(action.movedTo === undefined ? {} : { movedTo: action.movedTo }),
      };
    case 'command':
      return action.command.length <= MAX_KEY_LENGTH
        ? action
        : { ...action, command: clampText(action.command, MAX_KEY_LENGTH) };
    case 'search':
      return { ...action, pattern: clampText(action.pattern, MAX_KEY_LENGTH) };
    case 'delegation':
      return { ...action, prompt: '' };
    case 'plan':
      return { ...action, text: clampText(action.text) };
    case 'question':
      return { ...action, text: clampText(action.text, MAX_KEY_LENGTH) };
    case 'read':
    case 'fetch':
      return action;
  }
}

const MAX_KEY_LENGTH = 2_000;

function withRelativePaths(action: ToolAction, { folder, shellFolder }: Ledger['place']): ToolAction {
  const told = (path: string) => relativePath(pathFromShell(path, shellFolder), folder);
  switch (action.kind) {
    case 'change':
      return {
        ...action,
        path: told(action.path),
        ...(action.movedTo === undefined ? {} : { movedTo: told(action.movedTo) }),
      };
    case 'read':
      return { ...action, path: told(action.path) };
    case 'search':
      return action.path === undefined ? action : { ...action, path: told(action.path) };
    case 'command': {
      const { folder: own = shellFolder, ...rest } = action;
      return own === undefined || own === folder ? rest : { ...rest, folder: relativePath(own, folder) };
    }
    default:
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
