import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseToolsReport } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectDevs } from '../../__tests__/mcp-agent.js';
import { runDevs } from '../../__tests__/run-devs.js';
import { createToolsReporter } from '../serve-workflow.js';

describe('the server of the workflow tools', () => {
  it.each(['2.x', '1.x'] as const)('reports that a %s client has the tools', async (version) => {
    const { folder, file, report } = openPlace();
    const connection = await connectDevs(['--worktree', folder, '--report-to', file], version);
    expect(existsSync(file)).toBe(false); // it runs, and its tools were not requested
    await connection.listTools();
    await connection.close();
    expect(report()).toEqual({ status: 'connected' });
  });

  it('reports why it cannot start', async () => {
    const { folder, file, report } = openPlace();
    const { exitCode } = await runDevs(['mcp', '--worktree', join(folder, 'gone'), '--report-to', file]);
    expect(exitCode).toBe(2);
    expect(report()).toEqual({ status: 'failed', error: expect.stringMatching(/^--worktree: there is no folder /) });
  });
});

describe('a report of the workflow tools', () => {
  it('stays good where a second server of the same agent fails', () => {
    const { file, report } = openPlace();
    const reporter = createToolsReporter(file);
    reporter.failed(new Error('first'));
    reporter.connected();
    reporter.failed(new Error('second'));
    expect(report()).toEqual({ status: 'connected' });
  });

  it('holds no password, and is not missed by a server that has nowhere to write it', () => {
    const { folder, file, report } = openPlace();
    createToolsReporter(file).failed(new Error('cannot reach redis://user:hunter2-hunter2@host:6379'));
    expect(JSON.stringify(report())).not.toContain('hunter2');
    createToolsReporter(join(folder, 'gone', 'tools.json')).connected();
    createToolsReporter(undefined).connected();
  });
});

function openPlace() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-report-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const file = join(folder, 'tools.json');
  return { folder, file, report: () => parseToolsReport(readFileSync(file, 'utf8')) };
}
