import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Passage, parseRecallQuery } from '@devs/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IndexedReading, openRecallIndex, type RecallIndex } from '../open-recall-index.js';

let folder: string;
let index: RecallIndex;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devs-recall-'));
  index = openRecallIndex(join(folder, 'recall.db'), Date.now);
});
afterEach(() => {
  index.close();
  rmSync(folder, { recursive: true, force: true });
});

const passage = (text: string, at = '2026-11-01T10:00:00Z'): Passage => ({ kind: 'reply', text, line: 1, at });
const reading = (texts: readonly Passage[], more: Partial<IndexedReading> = {}): IndexedReading => ({
  path: '/a.jsonl',
  agent: 'claude',
  modifiedMs: 1,
  kept: { position: 1 },
  startedOver: false,
  passages: texts,
  ...more,
});
const found = (typed: string) => index.search(parseRecallQuery(typed), 10).map((one) => one.passage.text);

describe('the index of conversations', () => {
  it('finds words, parts of names and ends of paths', async () => {
    await index.add(reading([passage('we chose parseJsonValue in src/json/value.ts')]));
    for (const typed of ['chose', 'CHO', 'json', 'parseJson', 'value.ts', 'json value', 'src/json'])
      expect(found(typed)).toHaveLength(1);
    for (const typed of ['hose', 'valuets', 'value.js']) expect(found(typed)).toEqual([]);
  });

  it('gives passages with every word, else those with any', async () => {
    await index.add(reading([passage('red apple'), passage('green apple'), passage('green pear')]));
    expect(found('green apple')).toEqual(['green apple']);
    expect(found('red pear')).toHaveLength(2);
  });

  it('returns the newest first, across transcripts', async () => {
    await index.add(reading([passage('apple one', '2026-11-03T00:00:00Z')]));
    await index.add(reading([passage('apple two', '2026-11-04T00:00:00Z')], { path: '/b.jsonl', agent: 'codex' }));
    expect(index.search(parseRecallQuery('apple'), 10).map(({ place }) => place)).toEqual([
      { transcript: '/b.jsonl', agent: 'codex' },
      { transcript: '/a.jsonl', agent: 'claude' },
    ]);
  });

  it('keeps those with the whole word where there are too many that only begin so', async () => {
    const newer = Array.from({ length: 20 }, (_, nth) => passage(`applesauce ${nth}`, '2026-11-05T00:00:00Z'));
    await index.add(reading([passage('apple pie', '2026-11-03T00:00:00Z'), ...newer]));
    expect(found('apple')).toHaveLength(10);
    expect(found('apple').at(-1)).toBe('apple pie');
  });

  it('adds new passages and replaces those of a rewritten transcript', async () => {
    await index.add(reading([passage('first apple')]));
    await index.add(reading([passage('second apple')], { kept: { position: 2 }, modifiedMs: 2 }));
    expect(found('apple')).toHaveLength(2);
    expect(index.known('/a.jsonl')).toEqual({ modifiedMs: 2, kept: { position: 2 } });
    await index.add(reading([passage('third apple')], { startedOver: true }));
    expect(found('apple')).toEqual(['third apple']);
  });

  it('knows nothing about an unread transcript', () => {
    expect(index.known('/never.jsonl')).toBeUndefined();
  });

  it('is readable by the user alone, and survives its process', async () => {
    await index.add(reading([passage('apple')]));
    index.close();
    index = openRecallIndex(join(folder, 'recall.db'), Date.now);
    expect(found('apple')).toEqual(['apple']);
    expect(statSync(join(folder, 'recall.db')).mode & 0o077).toBe(0);
  });
});
