import { expect, it } from 'vitest';
import { parseToolsReport, type ToolsReport, writeToolsReport } from '../tools-report.js';

it.each<ToolsReport>([
  { status: 'awaited' },
  { status: 'connected' },
  { status: 'failed', error: 'the store is locked' },
])('a report of the tools is read as it was written: $status', (report) => {
  expect(parseToolsReport(writeToolsReport(report))).toEqual(report);
});

it('a report of the tools keeps the beginning of a long error', () => {
  const written = parseToolsReport(writeToolsReport({ status: 'failed', error: 'e'.repeat(9_000) }));
  expect(written).toEqual({ status: 'failed', error: 'e'.repeat(500) });
});

it.each(['', 'null', '"connected"', '{"status":"gone"}', '{"status":"failed"}', '{"status":'])(
  'a report of the tools that says nothing known is none: %s',
  (text) => {
    expect(parseToolsReport(text)).toBeUndefined();
  },
);
