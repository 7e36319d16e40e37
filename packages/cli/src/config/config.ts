import { listSettings, readSettings } from '@devs/core';
import { STARTABLE_AGENTS } from '@devs/drivers/agents';
import { Command } from 'commander';
import { jsonOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { trustFolder } from '../trust/folder-trust.js';
import { describeChange, describeWaiting, HOW_TO_AGREE, type WaitingFile } from '../trust/waiting-file.js';
import type { ConfigServices } from './config-services.js';
import { describeProblem } from './load-settings.js';
import { renderSettings } from './render-settings.js';

const MORE_HELP = `
From the defaults, ~/.config/devs/config.yaml, .devs/config.yaml of the project
and, in a run, its flags; the later counts for more. \`devs init\` writes a file
to begin with.

Examples:
  devs config
  devs config renewal
  devs config --json

Exit codes: 0 all is well, 1 a file has problems, 2 wrong usage.`;

interface ConfigOptions {
  readonly json?: boolean;
  readonly trust?: boolean;
  readonly trustFolder?: boolean;
}

export function configCommand(services: ConfigServices, done: (exitCode: number) => void): Command {
  return new Command('config')
    .description('Show every setting, and where it comes from')
    .argument('[key]', 'only what begins with this, such as renewal')
    .option('--trust', 'agree to the files below .devs as they are now')
    .option('--trust-folder', 'let agents of runs trust the files of this folder')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (key: string | undefined, options: ConfigOptions) => {
      if (options.trustFolder === true) return done(await agreeToFolder(services, outputMode(options) === 'json'));
      if (options.trust === true) return done(await agree(services, outputMode(options) === 'json'));
      const files = await services.settingsFiles.paths();
      const { layers, waiting, notes = [] } = await services.settingsFiles.read();
      for (const note of notes) services.warn(`devs: ${visible(note)}.`);
      const read = readSettings(layers, STARTABLE_AGENTS);
      const isJson = outputMode(options) === 'json';
      if (waiting !== undefined) services.warn(`devs: ${describeWaiting(waiting)}: ignored. ${HOW_TO_AGREE}.`);
      const ignored = waiting === undefined ? {} : { waiting: { file: waiting.subject.place, does: waiting.does } };
      if (read.kind === 'problems') {
        if (isJson) services.print(toJson({ ok: false, files, ...ignored, problems: read.problems }));
        else services.warn(['devs: the configuration has problems:', ...read.problems.map(describeProblem)].join('\n'));
        return done(1);
      }
      const isAsked = (name: string) => key === undefined || name === key || name.startsWith(`${key}.`);
      const settings = listSettings(read.settings, read.sources).filter((setting) => isAsked(setting.key));
      if (settings.length === 0) {
        services.warn(`devs: there is no setting ${visible(key ?? '')}. \`devs config\` lists all.`);
        return done(2);
      }
      if (isJson) services.print(toJson({ ok: true, files, ...ignored, settings }));
      else {
        const columns = services.isTerminal ? services.screen.columns : Number.POSITIVE_INFINITY;
        services.print(renderSettings(settings, { ...services.screen, columns }).join('\n'));
      }
      done(0);
    });
}

/** What `devs run` asks at its first start, for scripts. */
async function agreeToFolder({ records, agreements, print }: ConfigServices, isJson: boolean): Promise<number> {
  const { root } = await records.here();
  await trustFolder(root, agreements);
  print(isJson ? toJson({ trustedFolder: root }) : `Agents of runs trust the files in ${visible(root)} from now on.`);
  return 0;
}

/** For scripts too: typing it means agreement with the current content. */
async function agree(services: ConfigServices, isJson: boolean): Promise<number> {
  const waiting = await listWaiting(services);
  for (const { subject, text } of waiting) await services.agreements.add(subject, text);
  const place = await services.records.here();
  const hasJoined = await services.storeGate.join(place);
  const trusted = waiting.map(({ subject, does }) => ({ file: subject.place, does }));
  const joined = `Joined ${visible(place.file)}: its runs, tasks and questions count from now on.`;
  const said = [...waiting.map(describeAgreed), ...(hasJoined ? [joined] : [])];
  if (isJson) services.print(toJson({ trusted, ...(hasJoined ? { joined: place.file } : {}) }));
  else services.print(said.length === 0 ? 'Nothing needs your agreement.' : said.join('\n\n'));
  return 0;
}

async function listWaiting({ settingsFiles, workflowFiles }: ConfigServices): Promise<readonly WaitingFile[]> {
  const { waiting } = await settingsFiles.read();
  const ofProject = (await workflowFiles.find()).filter(({ origin }) => origin === 'project');
  const workflows = ofProject.map(async (found) =>
    workflowFiles.waiting({ ...found, text: await workflowFiles.read(found) }),
  );
  return [waiting, ...(await Promise.all(workflows))].filter((file) => file !== undefined);
}

const describeAgreed = (file: WaitingFile): string =>
  [`Agreed to ${visible(file.shown)}, which ${visible(file.does)}:`, ...describeChange(file)].join('\n');
