import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf, parseToolsReport, redactText, type ToolsReport, writeToolsReport } from '@devs/core';

/** Tells the supervisor of a run whether its agent has the workflow tools. Never throws: the tools are there without it, too. */
export interface ToolsReporter {
  connected(): void;
  /** Counts where no server before it served this agent: some agents start several. */
  failed(error: unknown): void;
}

export function createToolsReporter(file: string | undefined): ToolsReporter {
  const write = (report: ToolsReport) => {
    if (file === undefined) return;
    try {
      writeFileSync(file, writeToolsReport(report), { mode: 0o600 });
    } catch {
      // the run is over, and its folder gone
    }
  };
  return {
    connected: () => write({ status: 'connected' }),
    failed(error) {
      if (file === undefined || reportIn(file)?.status === 'connected') return;
      const text = messageOf(error);
      write({ status: 'failed', error: redactText(text.replaceAll(/\s+/g, ' ').trim()) });
    },
  };
}

function reportIn(file: string): ToolsReport | undefined {
  try {
    return parseToolsReport(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
