import { resolve } from 'node:path';
import type { AskedPermission, JsonObject, PermissionChoice, PermissionRequest } from '@devs/core';
import { listIn, objectIn, textIn } from '../../reading/json.js';

/** What Codex asks its user, in devs' words. */
export interface Approval {
  readonly asked: Omit<AskedPermission, 'requestId'>;
  readonly request: PermissionRequest;
  /** The answer that Codex takes for a choice. */
  answer(choice: string): JsonObject | undefined;
}

const YES: PermissionChoice = { id: 'accept', name: 'Yes', kind: 'allow-once' };
const ALWAYS: PermissionChoice = { id: 'acceptForSession', name: 'Yes, for this conversation', kind: 'allow-always' };
const NO: PermissionChoice = { id: 'decline', name: 'No', kind: 'deny-once' };

/** Pure: `undefined` for a request that only Codex's own screen can answer. `item`: what is known of the item that it is about. */
export function readApproval(
  method: string,
  params: JsonObject,
  { item, folder }: { readonly item?: JsonObject | undefined; readonly folder: string },
): Approval | undefined {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return commandApproval(params, item, folder);
    case 'item/fileChange/requestApproval':
      return fileApproval(params, item, folder);
    case 'mcpServer/elicitation/request':
      return toolApproval(params);
    default:
      return undefined;
  }
}

function commandApproval(params: JsonObject, item: JsonObject | undefined, folder: string): Approval {
  const command = textIn(params.command) ?? textIn(item?.command) ?? '';
  const cwd = textIn(params.cwd) ?? folder;
  const reason = textIn(params.reason);
  const where = resolve(cwd) === resolve(folder) ? [] : [`in ${cwd}`];
  const detail = [command, ...where, ...(reason === undefined ? [] : [reason])].join('\n');
  return {
    asked: { tool: 'exec_command', detail, choices: choicesIn(params) },
    request: { tool: 'exec_command', kind: 'command', command: unwrapped(command), paths: [], isOwnTool: false },
    answer: decisionFor,
  };
}

function fileApproval(params: JsonObject, item: JsonObject | undefined, folder: string): Approval {
  const changes = objectsIn(item?.changes);
  const paths = changes.flatMap(({ path }) => textIn(path) ?? []).map((path) => resolve(folder, path));
  const diffs = changes.map(({ path, diff }) => `${textIn(path) ?? ''}\n${textIn(diff) ?? ''}`.trimEnd());
  const reason = textIn(params.reason);
  return {
    asked: {
      tool: 'apply_patch',
      detail: [...(reason === undefined ? [] : [reason]), ...diffs].join('\n').slice(0, MAX_DETAIL_LENGTH),
      choices: [YES, ALWAYS, NO],
    },
    request: { tool: 'apply_patch', kind: 'edit', paths, isOwnTool: false },
    answer: decisionFor,
  };
}

/** A tool of an MCP server. Other questions of servers are for Codex's own screen. */
function toolApproval(params: JsonObject): Approval | undefined {
  if (textIn(objectIn(params._meta)?.codex_approval_kind) === undefined) return undefined;
  const server = textIn(params.serverName) ?? '';
  return {
    asked: { tool: server, detail: textIn(params.message) ?? '', choices: [YES, NO] },
    request: { tool: server, kind: 'other', paths: [], isOwnTool: server === 'devs' },
    answer: (choice) =>
      choice === YES.id
        ? { action: 'accept', content: {} }
        : choice === NO.id
          ? { action: 'decline', content: null }
          : undefined,
  };
}

const MAX_DETAIL_LENGTH = 8_000;

/** Codex lists what it offers; a plain refusal is always taken. */
function choicesIn({ availableDecisions }: JsonObject): readonly PermissionChoice[] {
  const offered = Array.isArray(availableDecisions) ? availableDecisions : [];
  return [YES, ...(offered.includes(ALWAYS.id) ? [ALWAYS] : []), NO];
}

const decisionFor = (choice: string): JsonObject | undefined =>
  [YES, ALWAYS, NO].some(({ id }) => id === choice) ? { decision: choice } : undefined;

/** Without the shell that Codex puts around every command: rules are about what is run. */
function unwrapped(command: string): string {
  const [, script] = /^\S*\/?(?:ba|z)?sh -l?c '((?:[^']|'\\'')*)'$/.exec(command) ?? [];
  if (script !== undefined) return script.replaceAll(`'\\''`, `'`);
  const [, plain] = /^\S*\/?(?:ba|z)?sh -l?c "([^"$`\\]*)"$/.exec(command) ?? [];
  return plain ?? command;
}

const objectsIn = (value: unknown): readonly JsonObject[] =>
  listIn(value)
    .map(objectIn)
    .filter((one) => one !== undefined);
