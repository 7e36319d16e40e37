import { Command } from 'commander';
import { jsonOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import type { DebugServices } from './debug-services.js';
import { renderReport } from './transcript/render-report.js';
import { createTranscriptReport } from './transcript/transcript-report.js';

const MORE_HELP = `
Says what a transcript holds: requests, tools with how often they failed, tokens
(each model call counted once), compactions, files, sub-agents, and what of it
could not be understood. Reads only.

Examples:
  devs debug transcript ~/.claude/projects/-home-anna-shop/1f0c.jsonl
  devs debug transcript rollout.jsonl --agent codex --json`;

interface TranscriptOptions {
  readonly agent?: string;
  readonly json?: boolean;
}

export function debugTranscriptCommand(services: DebugServices, done: (exitCode: number) => void): Command {
  return new Command('transcript')
    .description('Show what a transcript of an agent holds')
    .argument('<file>', 'the transcript')
    .option('--agent <agent>', 'who wrote it: claude, codex, gemini or opencode')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (file: string, options: TranscriptOptions) => {
      const { report, add } = createTranscriptReport();
      const read = await services.conversations.read({ transcript: file, agent: options.agent }, add);
      const asText = () => renderReport(report, read, services.screen).join('\n');
      services.print(outputMode(options) === 'json' ? toJson({ ...read, ...report }) : asText());
      done(0);
    });
}
