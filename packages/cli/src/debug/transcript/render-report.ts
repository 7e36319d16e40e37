import type { ReadTranscript } from '../../handoff/conversations.js';
import { describeDamage } from '../../handoff/describe-damage.js';
import { clip } from '../../screen/clip.js';
import { bodyColumns, labelled } from '../../screen/labelled.js';
import type { Screen } from '../../screen/screen.js';
import { count, grouped } from '../../words.js';
import type { TranscriptReport } from './transcript-report.js';

/** A report for people. */
export function renderReport(report: TranscriptReport, read: ReadTranscript, screen: Screen): readonly string[] {
  const { palette, columns } = screen;
  const row = (label: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : labelled(
          label,
          lines.map((line) => clip(line, bodyColumns(columns))),
          palette.quiet,
        );
  return [
    palette.title(clip(read.path, columns)),
    ...row('agent', [describeConversation(report, read.agent)]),
    ...row('folder', [report.conversation.folder ?? 'unknown', ...branchOf(report)]),
    ...row('said', [describeSaid(report)]),
    ...row('model', [describeUsage(report)]),
    ...row('context', describeContext(report)),
    ...row('tools', describeTools(report)),
    ...row('files', describeFiles(report)),
    ...row('sub-agents', describeSubAgents(report)),
    ...row('lines', describeLines(read)),
  ];
}

function describeLines({ tally }: ReadTranscript): readonly string[] {
  const damage = describeDamage(tally);
  return damage.length === 0 ? [`${grouped(tally.lines)}, all understood`] : [grouped(tally.lines), ...damage];
}

const describeConversation = ({ conversation: { id, agentVersion, model } }: TranscriptReport, agent: string): string =>
  [`${agent}${agentVersion === undefined ? '' : ` ${agentVersion}`}`, model, id]
    .filter((part) => part !== undefined)
    .join(' · ');

const branchOf = ({ conversation: { branch } }: TranscriptReport) => (branch === undefined ? [] : [`branch ${branch}`]);

const describeSaid = ({ requests, notes, inputs }: TranscriptReport): string =>
  [
    count(requests, 'request'),
    `${count(notes, 'note')} of the agent`,
    ...Object.entries(inputs).map(([kind, number]) => `${grouped(number)} ${kind}`),
  ].join(' · ');

const describeUsage = ({ usage: { calls, outputTokens } }: TranscriptReport): string =>
  `${count(calls, 'call')} · ${count(outputTokens, 'token')} written`;

function describeContext({ usage, compactions, clears }: TranscriptReport): readonly string[] {
  return [
    `${count(usage.peakContextTokens, 'token')} at its peak · ${grouped(usage.lastContextTokens)} at the end`,
    ...compactions.map(
      ({ line, trigger, tokensBefore }) =>
        `compacted at line ${grouped(line)} (${trigger}${tokensBefore === undefined ? '' : `, ${count(tokensBefore, 'token')} before`})`,
    ),
    ...(clears === 0 ? [] : [`cleared ${clears === 1 ? 'once' : `${grouped(clears)} times`}`]),
  ];
}

function describeTools({ tools }: TranscriptReport): readonly string[] {
  const byCalls = Object.entries(tools).sort(([a, x], [b, y]) => y.calls - x.calls || (a < b ? -1 : 1));
  return byCalls.map(([tool, { calls, failed, refused, open }]) => {
    const troubles = [
      failed === 0 ? '' : `${grouped(failed)} failed`,
      refused === 0 ? '' : `${grouped(refused)} refused`,
      open === 0 ? '' : `${grouped(open)} without an answer`,
    ].filter((part) => part !== '');
    return `${tool}: ${count(calls, 'call')}${troubles.length === 0 ? '' : ` (${troubles.join(', ')})`}`;
  });
}

function describeFiles({ files }: TranscriptReport): readonly string[] {
  const all = Object.entries(files);
  if (all.length === 0) return [];
  const changed = all.filter(([, file]) => file.changed > 0).sort(([, a], [, b]) => b.changed - a.changed);
  return [
    `${grouped(changed.length)} changed · ${grouped(all.length - changed.length)} only read`,
    ...changed.slice(0, MAX_FILES).map(([path, file]) => `${path}: changed ${file.changed}×, read ${file.read}×`),
    ...(changed.length > MAX_FILES ? [`… and ${grouped(changed.length - MAX_FILES)} more (--json)`] : []),
  ];
}

const MAX_FILES = 10;

const describeSubAgents = ({ subAgents }: TranscriptReport): readonly string[] =>
  Object.entries(subAgents).map(([name, calls]) => `${name}: ${count(calls, 'tool call')}`);
