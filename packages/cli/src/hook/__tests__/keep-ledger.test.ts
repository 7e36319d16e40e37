import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HOOK_AGENTS, type HookAgent } from '../hook-agent.js';
import type { HookFiles } from '../hook-files.js';
import { createKeepLedger } from '../keep-ledger.js';
import { createScene } from './scene.js';

const CLAUDE = HOOK_AGENTS[0] as HookAgent;
const WANTED = { conversation: 's1', openChars: 1_300, handoffChars: 9_900 };

/** Files in memory, and what is kept with them when reading may take as long as the signal says. */
function createKeeping(signal: AbortSignal, { isWaitedFor = false, elapsedMs = 0 } = {}) {
  const written = new Map<string, unknown>();
  const problems: unknown[] = [];
  const files: HookFiles = {
    read: (name) => written.get(name),
    write: (name, value) => void written.set(name, value),
    list: () => [...written.keys()],
    removeOlderThan: () => {},
  };
  const keep = createKeepLedger({
    agent: CLAUDE,
    files,
    loadMaking: () => import('../making.js'),
    signal,
    elapsedMs: () => elapsedMs,
    isWaitedFor,
    onProblem: (error) => void problems.push(error),
  });
  return { keep, written, problems };
}

describe('keeping the ledger', () => {
  it('makes a shorter document of the end of a transcript that takes too long to read', async () => {
    const scene = createScene();
    scene.asks('Begin with src/first/part.ts.');
    appendFileSync(scene.transcriptOf('s1'), `${JSON.stringify({ type: 'filler', text: 'x'.repeat(1 << 20) })}\n`);
    scene.asks('Then sort the widgets in src/widgets/sort.ts.');
    scene.runs('npm test -- widgets', 'Error: 3 tests failed', { isError: true });
    const { keep, written, problems } = createKeeping(AbortSignal.abort());

    const { handoff } = await keep({ ...WANTED, transcript: scene.transcriptOf('s1') });

    expect(handoff?.text).toContain('src/widgets/sort.ts');
    expect(handoff?.text).not.toContain('src/first/part.ts');
    expect(written.size).toBe(0);
    expect(problems).toHaveLength(1);
  });

  it('makes a shorter document where the agent waits and the hook began late, also behind a line of any length', async () => {
    const scene = createScene();
    scene.asks('Begin with src/first/part.ts.');
    appendFileSync(scene.transcriptOf('s1'), `${JSON.stringify({ type: 'filler', text: 'x'.repeat(1 << 18) })}\n`);
    scene.asks('Then sort the widgets in src/widgets/sort.ts.');
    const { signal } = new AbortController();
    const late = createKeeping(signal, { isWaitedFor: true, elapsedMs: 900 });
    const wanted = { ...WANTED, transcript: scene.transcriptOf('s1') };

    const short = await late.keep(wanted);
    appendFileSync(scene.transcriptOf('s1'), `${JSON.stringify({ type: 'filler', text: 'x'.repeat(1 << 18) })}\n`);
    const behindLongLine = await late.keep(wanted);

    expect(short.handoff?.text).toContain('src/widgets/sort.ts');
    expect(short.handoff?.text).not.toContain('src/first/part.ts');
    expect(behindLongLine.handoff?.text).toContain('src/widgets/sort.ts');
    expect(late.written.size).toBe(0);
    expect(late.problems).toEqual([]);
  });

  it('leaves the ledger to a background hook', async () => {
    const scene = createScene();
    scene.asks('Sort the widgets in src/widgets/sort.ts.');
    const wanted = { ...WANTED, transcript: scene.transcriptOf('s1') };
    const [waited, unwaited] = [true, false].map((isWaitedFor) =>
      createKeeping(new AbortController().signal, { isWaitedFor }),
    );
    await waited?.keep(wanted);
    await unwaited?.keep(wanted);

    expect([...(waited?.written.keys() ?? [])]).toEqual(['claude-code-s1.prepared.json']);
    expect([...(unwaited?.written.keys() ?? [])]).toEqual([
      'claude-code-s1.ledger.json',
      'claude-code-s1.prepared.json',
    ]);
  });
});
