import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MissingTools, parseToolsReport, type TerminalActivity, type ToolsReport } from '@devs/core';

/** Whether the workflow tools of the agent are there, by what their server says in its report. */
export interface ToolsWatch {
  /** What is missing now, and for how long; `undefined` if the tools are available, or if unknown. */
  look(moment: ToolsMoment): Promise<Pick<MissingTools, 'status' | 'error' | 'forMs'> | undefined>;
}

export interface ToolsMoment {
  readonly now: number;
  readonly agentId: string | undefined;
  readonly activity: TerminalActivity | undefined;
  /** Its user is there: nothing is done behind their back. */
  readonly isAttended: boolean;
}

/** Where the server of a run's tools reports. */
export const toolsReportOf = ({ privateFolder }: { readonly privateFolder: string }, runId: string): string =>
  join(privateFolder, runId, 'tools.json');

/** A machine that slept makes the time no longer than a look. */
export function createToolsWatch({ file, longestLookMs }: { file: string; longestLookMs: number }): ToolsWatch {
  let missing = { what: '', ms: 0, at: 0 };
  return {
    async look({ now, agentId, activity, isAttended }) {
      const report = await readReport(file);
      const isMissing = report !== undefined && report.status !== 'connected';
      const what = isMissing ? `${agentId} ${report.status}` : '';
      const passed = what === missing.what ? Math.min(Math.max(0, now - missing.at), longestLookMs) : 0;
      // An agent that is starting, or asks for permission to, has not reached its servers.
      const couldUse = (activity === 'idle' || activity === 'busy') && !isAttended;
      const before = what === missing.what ? missing.ms : 0;
      missing = { what, ms: couldUse ? before + passed : before, at: now };
      return isMissing ? { ...report, forMs: missing.ms } : undefined;
    },
  };
}

const readReport = (file: string): Promise<ToolsReport | undefined> =>
  readFile(file, 'utf8').then(parseToolsReport, () => undefined); // started by a devs that knew none
