import { hash } from 'node:crypto';
import type { ConversationDescribed, JsonValue } from '@devs/core';
import { boundedMap } from '../reading/bounded-map.js';
import { objectIn, textIn } from '../reading/json.js';
import { entriesIn, keysIn } from '../reading/remembered.js';

/**
 * Messages already reported. Gemini CLI writes a message again when its tools have answered, and all messages again,
 * some under new names, when it resumes or compresses: each must be reported once.
 */
export interface GeminiMemory {
  /** True the first time only. */
  isNew(kind: 'note' | 'usage' | 'call' | 'answer', id: string): boolean;
  /** As `isNew`, by text. */
  isNewText(kind: 'request' | 'note' | 'noted' | 'summary', text: string): boolean;
  /** Changes of the conversation's place and equipment. */
  describe(parts: { readonly [part in DescribedPart]?: string | undefined }): readonly ConversationDescribed[];
  folder(): string | undefined;
  /** Set for the transcript of a sub-agent. */
  subAgent?: string;
  keep(): JsonValue;
}

type DescribedPart = 'conversationId' | 'folder' | 'model';

export function createGeminiMemory(kept?: unknown): GeminiMemory {
  const before = objectIn(kept);
  const known = boundedMap(REMEMBERED, keysIn(before?.known));
  const described = new Map(entriesIn(before?.described, textIn));
  const isNew = (key: string) => {
    if (known.has(key)) return false;
    known.set(key, true);
    return true;
  };
  const memory: GeminiMemory = {
    isNew: (kind, id) => isNew(`${kind} ${id.replaceAll('\n', ' ')}`), // kept with one on each line
    // A digest: the text itself may be long, and would be kept for as long as it is remembered.
    isNewText: (kind, text) => isNew(`${kind} ${hash('sha1', text, 'base64')}`),
    describe(parts) {
      const changed = Object.entries(parts).filter(
        (part): part is [string, string] =>
          part[1] !== undefined && part[1] !== '' && described.get(part[0]) !== part[1],
      );
      for (const [name, value] of changed) described.set(name, value);
      return changed.length === 0 ? [] : [{ type: 'conversation.described', ...Object.fromEntries(changed) }];
    },
    folder: () => described.get('folder'),
    keep: () => ({
      known: [...known.keys()].join('\n'),
      described: [...described],
      ...(memory.subAgent === undefined ? {} : { subAgent: memory.subAgent }),
    }),
  };
  const subAgent = textIn(before?.subAgent);
  return subAgent === undefined ? memory : Object.assign(memory, { subAgent });
}

/** A whole conversation is restated, so this has to reach further back than for other agents. */
const REMEMBERED = 32_768;
