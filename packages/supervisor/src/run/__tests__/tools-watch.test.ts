import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ToolsReport, writeToolsReport } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolsWatch, type ToolsMoment } from '../tools-watch.js';

const HOUR = 3_600_000;

describe('the tools of an agent', () => {
  it('are missing for as long as it could have used them', async () => {
    const { look, report } = watched();
    report({ status: 'awaited' });
    expect(await look({ now: 0, activity: 'starting' })).toEqual({ status: 'awaited', forMs: 0 });
    expect(await look({ now: 1_000, activity: 'waiting' })).toMatchObject({ forMs: 0 });
    expect(await look({ now: 2_000, isAttended: true })).toMatchObject({ forMs: 0 });
    expect(await look({ now: 3_000 })).toMatchObject({ forMs: 1_000 });
    expect(await look({ now: 4_500, activity: 'idle' })).toMatchObject({ forMs: 2_500 });
  });

  it('are not missing for an hour that the machine slept', async () => {
    const { look, report } = watched();
    report({ status: 'awaited' });
    await look({ now: 0 });
    expect(await look({ now: HOUR })).toMatchObject({ forMs: 5_000 });
  });

  it('are counted anew for the next agent, and where their server has failed', async () => {
    const { look, report } = watched();
    report({ status: 'awaited' });
    await look({ now: 0 });
    await look({ now: 1_000 });
    expect(await look({ now: 2_000, agentId: 'b' })).toMatchObject({ forMs: 0 });
    report({ status: 'failed', error: 'the store is locked' });
    const failed = { status: 'failed', error: 'the store is locked' };
    expect(await look({ now: 3_000, agentId: 'b' })).toEqual({ ...failed, forMs: 0 });
    expect(await look({ now: 4_000, agentId: 'b' })).toEqual({ ...failed, forMs: 1_000 });
  });

  it('are available when they say so, and when they are not awaited', async () => {
    const { look, report } = watched();
    expect(await look({ now: 0 })).toBeUndefined();
    report({ status: 'connected' });
    expect(await look({ now: 9_000 })).toBeUndefined();
  });
});

function watched() {
  const folder = mkdtempSync(join(tmpdir(), 'devs-tools-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'tools.json');
  const watch = createToolsWatch({ file, longestLookMs: 5_000 });
  return {
    report: (report: ToolsReport) => writeFileSync(file, writeToolsReport(report)),
    look: (moment: Partial<ToolsMoment> & { readonly now: number }) =>
      watch.look({ agentId: 'a', activity: 'busy', isAttended: false, ...moment }),
  };
}
