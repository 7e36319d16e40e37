import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { line, opened } from '../../builtin/__tests__/builtin-lines.js';
import { started } from '../../codex/__tests__/codex-lines.js';
import { head, typed } from '../../gemini/__tests__/gemini-lines.js';
import { detectSource, TRANSCRIPT_SOURCES } from '../../index.js';
import { sourceOf } from '../detect-source.js';
import { LINES } from './some-lines.js';

const agentOf = (bytes: Buffer) => sourceOf(TRANSCRIPT_SOURCES, bytes)?.agent;

const claudeLine = JSON.stringify({ type: 'user', sessionId: 's', message: { role: 'user', content: 'hello' } });

describe('recognising the agent of a transcript', () => {
  it.each([
    ['claude', claudeLine],
    ['claude', `${JSON.stringify({ type: 'summary', summary: 'Totals', leafUuid: 'u' })}\n${claudeLine}`],
    ['claude', `{"cut off\n${claudeLine}`],
    ['codex', started],
    ['builtin', line(opened)],
    ['codex', `${started.replace('"cwd"', `"instructions":"${'x'.repeat(200_000)}","cwd"`)}\n`],
    ['gemini', head()],
    ['gemini', JSON.stringify(typed('m-1', 'hello'))],
    ['opencode', 'SQLite format 3\0\u0010\0\u0001\u0001'],
    [undefined, ''],
    [undefined, 'a letter to nobody'],
    [undefined, '{"role":"user","content":"of another program"}'],
  ])('%s', (agent, text) => {
    expect(agentOf(Buffer.from(text))).toBe(agent);
  });

  it.each(Object.entries(LINES))('knows the lines of %s among damaged ones', (agent, make) => {
    const random = createRandom(seed());
    const lines = Array.from({ length: 40 }, () => make(random)).join('\n');
    expect(agentOf(Buffer.from(lines))).toBe(agent);
  });

  it('handles any bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void agentOf(Buffer.from(bytes))));
  });

  it('looks into a file, and rejects where there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'devs-detect-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'c.jsonl');
    await expect(detectSource(path)).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(path, started);
    expect((await detectSource(path))?.agent).toBe('codex');
    expect((await detectSource(`${path}#ses_1`))?.agent).toBe('codex');
  });
});
