import type { AskedPermission, JsonObject, PermissionChoice } from '@devs/core';
import type { StatusFact } from '../../driving/standing-fact.js';
import { listIn, objectIn, textIn } from '../../reading/json.js';

const CHOICES: readonly PermissionChoice[] = [
  { id: 'once', name: 'Allow once', kind: 'allow-once' },
  { id: 'always', name: 'Allow always', kind: 'allow-always' },
  { id: 'reject', name: 'Reject', kind: 'deny-once' },
];

export const isChoice = (id: string): boolean => CHOICES.some((choice) => choice.id === id);

/**
 * The listed permissions whose turn is under way: an interrupt leaves them in the list for ever (measured, 1.18.33). `statuses` are of
 * the sessions that work.
 */
export function openPermissions(list: unknown, statuses: unknown): readonly unknown[] {
  const working = objectIn(statuses);
  if (working === undefined) return listIn(list);
  return listIn(list).filter((one) => working[textIn(objectIn(one)?.sessionID) ?? ''] !== undefined);
}

/** The permissions that wait, and how they come and go. */
export function createOpencodePermissions() {
  const open = new Set<string>();
  /** Over with their turn, though they may be listed. */
  const over = new Set<string>();
  /** Gone from the list without a word, at the last look. */
  let missing = new Set<string>();
  return {
    /** Facts about a new list; those that are `settled` already are known to be. */
    see(list: readonly unknown[], settled: readonly StatusFact[]): readonly StatusFact[] {
      const asked = waitingIn(list);
      const ids = new Set(asked.map(({ requestId }) => requestId));
      for (const fact of settled) if (fact.type === 'permission-settled') open.delete(fact.requestId);
      const fresh = asked.filter(({ requestId }) => !open.has(requestId));
      const gone = [...open].filter((id) => !ids.has(id));
      const ended = gone.filter((id) => missing.has(id)); // word of an answer may still be on its way at the first look
      missing = new Set(gone.filter((id) => !ended.includes(id)));
      for (const id of ended) {
        open.delete(id);
        over.add(id);
      }
      for (const { requestId } of fresh) open.add(requestId);
      return [
        ...fresh.map((permission) => ({ type: 'permission-asked', ...permission }) as const),
        ...ended.map((requestId) => ({ type: 'permission-settled', requestId, by: 'turn' }) as const),
      ];
    },
    waiting: (list: readonly unknown[]): AskedPermission | undefined => waitingIn(list)[0],
  };

  function waitingIn(list: readonly unknown[]): readonly AskedPermission[] {
    return list.flatMap((one) => askedIn(objectIn(one))).filter(({ requestId }) => !over.has(requestId));
  }
}

function askedIn(request: JsonObject | undefined): readonly AskedPermission[] {
  const [requestId, tool] = [textIn(request?.id), textIn(request?.permission)];
  if (request === undefined || requestId === undefined || tool === undefined) return [];
  return [{ requestId, tool, detail: detailOf(request), choices: CHOICES }];
}

/** The command or the change where it names one, else what it applies to. */
function detailOf(request: JsonObject): string {
  const metadata = objectIn(request.metadata);
  const patterns = listIn(request.patterns).filter((pattern) => typeof pattern === 'string');
  const own = textIn(metadata?.command) ?? textIn(metadata?.diff) ?? textIn(metadata?.filepath);
  const detail = own === undefined ? patterns.join('\n') : own;
  const reach = own !== undefined && request.permission === 'external_directory' ? `\n(${patterns.join(', ')})` : '';
  return `${detail}${reach}`.slice(0, LONGEST);
}

const LONGEST = 4_000;
