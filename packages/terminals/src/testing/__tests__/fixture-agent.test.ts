import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FIXTURE_AGENTS, fixtureAgent, openTestHost, watchText } from '../index.js';

async function testHost() {
  const test = await openTestHost();
  onTestFinished(test.dispose);
  return test;
}

describe('fixture agents', () => {
  it('are existing programs', () => {
    for (const name of FIXTURE_AGENTS) expect(existsSync(fixtureAgent(name).args[0] ?? '')).toBe(true);
  });

  it('may crash in the middle of a handoff, and the last of it arrives', async () => {
    const { host, spawn } = await testHost();
    const terminal = await spawn({ terminalId: 'a', ...fixtureAgent('crashes') });
    const watched = await watchText(host, 'a');
    await watched.until('> ');
    await host.write(terminal, 'hand off\r');
    expect((await watched.exited).exit).toMatchObject({ exitCode: 1, tail: 'complete' });
    expect(watched.text).toMatch(/reads numb[\r\n]+panic: out of memory$/);
  });

  it('may never answer: the prompt is in the transcript, the end of the turn is not', async () => {
    const { host, folder, spawn } = await testHost();
    const transcript = join(folder, 'transcript.jsonl');
    const env = { FIXTURE_TRANSCRIPT: transcript };
    const terminal = await spawn({ terminalId: 'a', ...fixtureAgent('never-answers'), env });
    const watched = await watchText(host, 'a');
    await watched.until('> ');
    await host.write(terminal, 'hello\r');
    await watched.until('◐ agent');
    expect(readFileSync(transcript, 'utf8')).toBe('{"type":"user","text":"hello"}\n');
  });

  it('may talk of being full without being it', async () => {
    const { host, spawn } = await testHost();
    await spawn({ terminalId: 'a', ...fixtureAgent('mentions-auto-compact') });
    const text = await (await watchText(host, 'a')).until('HANDOFF');
    expect(text).toContain('10% until auto-compact');
  });
});
