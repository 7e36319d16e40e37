import { believed, type ConversationFact, type JsonObject, type ToolAction, type TranscriptParser } from '@devs/core';
import { numberIn, objectIn, parseObject, textIn } from '../reading/json.js';
import { createTally } from '../reading/tally.js';
import { withProvenance } from '../reading/with-provenance.js';
import { builtinActions } from './builtin-actions.js';

/** Reads the lines of the built-in agent's transcripts; see `BuiltinRecord`. */
export function createBuiltinParser(remembered?: unknown): TranscriptParser {
  const before = objectIn(remembered) ?? {};
  const tally = createTally(before.tally);
  let folder = textIn(before.folder);
  return {
    tally: tally.read,
    memory: () => ({ tally: tally.memory(), ...(folder === undefined ? {} : { folder }) }),
    parseLine(line, { line: number, byteOffset }) {
      if (line.trim() === '') return [];
      const record = parseObject(line);
      if (record === undefined) return tally.damaged();
      tally.understood();
      if (record.type === 'conversation') folder = textIn(record.folder) ?? folder;
      const facts = factsOf(record, { folder, position: byteOffset, countUnknown: tally.unknown });
      if (facts.length === 0) return [];
      const at = textIn(record.at);
      const id = textIn(record.id);
      const from = {
        line: number,
        byteOffset,
        ...(at === undefined ? {} : { at }),
        ...(id === undefined ? {} : { id }),
      };
      return withProvenance(facts, from);
    },
  };
}

interface Place {
  readonly folder: string | undefined;
  readonly position: number;
  readonly countUnknown: (type: string) => void;
}

function factsOf(record: JsonObject, place: Place): readonly ConversationFact[] {
  const text = (name: string) => textIn(record[name]) ?? '';
  const count = (name: string) => numberIn(record[name]) ?? 0;
  switch (record.type) {
    case 'conversation':
      return describedFacts(record);
    case 'request':
      return [{ type: 'request.made', text: text('text') }];
    case 'message':
      return [{ type: 'note.written', text: text('text') }];
    case 'thought':
      return [{ type: 'thought.written', text: text('text') }];
    case 'envelope':
      return envelopeFacts(objectIn(record.envelope) ?? {});
    case 'call': {
      const input = objectIn(record.input) ?? {};
      const actions = Array.isArray(record.actions)
        ? believed<readonly ToolAction[]>(record.actions)
        : builtinActions(text('tool'), input, place.folder);
      return [{ type: 'tool.called', callId: text('id'), tool: text('tool'), input, actions }];
    }
    case 'answer':
      return answerFacts(record);
    case 'usage':
      return [
        {
          type: 'usage.reported',
          messageId: `turn-${count('turn')}-${place.position}`,
          inputTokens: count('inputTokens'),
          outputTokens: count('totalOutputTokens'),
        },
      ];
    case 'compaction':
      return [
        {
          type: 'context.compacted',
          trigger: record.trigger === 'auto' || record.trigger === 'manual' ? record.trigger : 'unknown',
          tokensBefore: count('tokensBefore'),
        },
        { type: 'summary.written', text: text('summary') },
      ];
    case 'clear':
      return [{ type: 'context.cleared' }];
    case 'interruption':
      return [{ type: 'input.noted', kind: 'interruption', text: '' }];
    case 'escalation':
      return [{ type: 'note.written', text: text('summary') }];
    default:
      if (!KNOWN_TO_SAY_NOTHING.has(String(record.type))) place.countUnknown(String(record.type));
      return [];
  }
}

/** State changes and repairs of answers; nothing that was said. */
const KNOWN_TO_SAY_NOTHING = new Set([
  'state',
  're-injection',
  'resumed',
  'corrected',
  'node',
  'limit',
  'permission',
  'permission-settled',
  'error',
]);

function describedFacts(record: JsonObject): readonly ConversationFact[] {
  const named = (name: string, value: unknown) => {
    const text = textIn(value);
    return text === undefined || text === '' ? {} : { [name]: text };
  };
  return [
    {
      type: 'conversation.described',
      ...named('conversationId', record.id),
      ...named('folder', record.folder),
      ...named('agentVersion', record.agentVersion),
      ...named('model', record.model),
    },
  ];
}

/** The thought, and the message if the turn ends with one; calls have their own lines. */
function envelopeFacts(envelope: JsonObject): readonly ConversationFact[] {
  const action = objectIn(envelope.action);
  const reasoning = textIn(objectIn(envelope.thought)?.reasoning) ?? '';
  const message = action?.tool_name === 'end_turn' ? (textIn(objectIn(action.arguments)?.message) ?? '') : '';
  return [
    ...(reasoning === '' ? [] : [{ type: 'thought.written', text: reasoning } as const]),
    ...(message === '' ? [] : [{ type: 'note.written', text: message } as const]),
  ];
}

function answerFacts(record: JsonObject): readonly ConversationFact[] {
  const exitCode = numberIn(record.exitCode);
  const detail = textIn(record.errorDetail) ?? '';
  const output = textIn(record.output) ?? JSON.stringify(record.output ?? '');
  return [
    {
      type: 'tool.answered',
      callId: textIn(record.id) ?? '',
      text: [detail, output].filter((part) => part !== '').join('\n'),
      outcome: record.status === 'ok' ? 'ok' : record.status === 'denied' ? 'refused' : 'failed',
      ...(exitCode === undefined ? {} : { exitCode }),
    },
  ];
}
