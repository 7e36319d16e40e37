import { eventOf } from '../event-log/define-stream.js';
import type { StoredEvent } from '../ports/event-log.js';
import type { JsonObject } from '../ports/json.js';
import type { RenewalEvent } from '../renewal/renewal-event.js';
import type { ReportRenewal, RunReport } from './run-report.js';

/** What one terminal's stream says about a run. */
export interface TerminalPart {
  readonly renewals: readonly ReportRenewal[];
  readonly reinjections: { readonly count: number; readonly tokens: number };
  readonly ledgers: RunReport['ledgers'];
  readonly answers: RunReport['answers'];
  readonly crashes: RunReport['crashes'];
  readonly parks: RunReport['parks'];
}

type Draft = { -readonly [K in keyof ReportRenewal]: ReportRenewal[K] } & { lost: string[] };

/** In the order of the stream. Events of other kinds, also of later versions, say nothing here. */
export function reportTerminal(terminal: string, events: readonly StoredEvent[]): TerminalPart {
  const renewals: Draft[] = [];
  const crashes: { at: number; terminal: string; detail: string; resumed: boolean }[] = [];
  const parks: { at: number; until: number; why: string }[] = [];
  const reinjections = { count: 0, tokens: 0 };
  const ledgers = { count: 0, tokens: 0 };
  const answers = { resumed: 0, corrected: 0 };
  let conversation: string | undefined;
  let permissions: string[] = [];

  for (const event of events) {
    const data = event.data as Readonly<Record<string, unknown>>;
    const text = (key: string) => (typeof data[key] === 'string' ? (data[key] as string) : '');
    const renewal = renewals.at(-1);
    switch (event.type) {
      case 'renewal.started':
        renewals.push(begin(event, terminal, { conversation, permissions }));
        permissions = [];
        break;
      case 'agent.cleared':
        if (renewal?.outcome === 'under way') renewal.alsoEnded = textsOf(data.alsoEnded);
        break;
      case 'agent.exited':
        crashes.push(...crashOf(event, terminal));
        break;
      case 'restart.started': {
        const crash = crashes.at(-1);
        if (crash !== undefined && text('why') === 'crash') crash.resumed = true;
        break;
      }
      case 'conversation.observed':
        conversation = text('conversationId');
        break;
      case 'permission.observed':
        permissions.push(`the permission for ${text('tool')} ${text('detail')}`.trim());
        break;
      case 'terminal.parked':
        parks.push({ at: event.at, until: Number(data.until), why: text('why') });
        break;
      case 'protocol.observed':
        if (text('what') === 're-injected') count(reinjections, Number(data.tokens ?? 0));
        if (text('what') === 'resumed') answers.resumed++;
        if (text('what') === 'corrected') answers.corrected++;
        break;
      case 'reminder.given': {
        const tokens = Number(data.tokens ?? 0);
        count(text('kind') === 'ledger' ? ledgers : reinjections, tokens);
        break;
      }
      default:
        if (renewal?.outcome === 'under way') follow(renewal, event);
    }
  }
  return { renewals, reinjections, ledgers, answers, crashes, parks };
}

interface Before {
  readonly conversation: string | undefined;
  readonly permissions: readonly string[];
}

function begin({ at, data }: StoredEvent, terminal: string, { conversation, permissions }: Before): Draft {
  return {
    at,
    terminal,
    cause: String(data.cause),
    outcome: 'under way',
    ownWords: 'not asked',
    added: [],
    lost: [...permissions],
    alsoEnded: [],
    ...(conversation === undefined ? {} : { conversationBefore: conversation }),
  };
}

function follow(renewal: Draft, stored: StoredEvent): void {
  const event = eventOf<RenewalEvent>(stored);
  switch (event.type) {
    case 'handoff.received':
      renewal.ownWords = event.source;
      break;
    case 'handoff.missed':
      renewal.ownWords = event.reason;
      renewal.lost.push(`its own words (${event.reason})`);
      break;
    case 'document.verified':
      renewal.document = {
        stream: stored.stream,
        position: stored.position,
        characters: event.document.length,
      };
      renewal.added = event.added;
      break;
    case 'checkpoint.saved':
      renewal.checkpoint = {
        ref: event.ref,
        commit: event.commit,
        ...(event.leftOut === undefined ? {} : { leftOut: event.leftOut }),
      };
      break;
    case 'checkpoint.skipped':
      renewal.lost.push(`a checkpoint of the files (${event.reason})`);
      break;
    case 'task.released':
      renewal.lost.push(`the task ${event.taskId}, which went back to the queue`);
      break;
    case 'renewal.abandoned':
      end(renewal, 'abandoned', event.reason);
      break;
    case 'spawn.failed':
      end(renewal, 'failed', event.error);
      break;
    case 'takeover.missed':
      end(renewal, 'failed', event.reason);
      break;
    case 'takeover.confirmed':
      renewal.outcome = 'completed';
      break;
    default:
      break;
  }
}

/** An abandoned renewal has lost nothing: the agent continues unchanged. */
function end(renewal: Draft, outcome: 'abandoned' | 'failed', detail: string): void {
  renewal.outcome = outcome;
  renewal.detail = detail;
  if (outcome === 'abandoned') renewal.lost = [];
}

function crashOf({ at, data }: StoredEvent, terminal: string) {
  const { kind, exitCode, signal } = (data.exit ?? {}) as JsonObject;
  if (kind !== 'crashed' && kind !== 'lost') return [];
  const how = typeof signal === 'number' && signal > 0 ? `signal ${signal}` : `exit code ${exitCode ?? 'unknown'}`;
  return [{ at, terminal, detail: kind === 'lost' ? 'with the host of its terminal' : how, resumed: false }];
}

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

function count(total: { count: number; tokens: number }, tokens: number): void {
  total.count++;
  total.tokens += tokens;
}
