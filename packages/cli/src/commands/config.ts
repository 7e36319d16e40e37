import { listSettings, readSettings } from '@devs/core';
import { Command } from 'commander';
import type { Services } from '../compose.js';
import { describeProblem } from '../config/load-settings.js';
import { renderSettings } from '../config/render-settings.js';
import { outputMode } from '../output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { jsonOption } from './options.js';

const MORE_HELP = `
From the defaults, ~/.config/devs/config.yaml, .devs/config.yaml of the project
and, in a run, its flags; the later counts for more. \`devs init\` writes a file
to begin with.

Examples:
  devs config
  devs config renewal
  devs config --json

Exit codes: 0 all is well, 1 a file has problems, 2 wrong usage.`;

export function configCommand(services: Services, done: (exitCode: number) => void): Command {
  return new Command('config')
    .description('Show every setting, and where it comes from')
    .argument('[key]', 'only what begins with this, such as renewal')
    .option('--trust', 'agree to what the settings of the repository may run')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (key: string | undefined, options: { json?: boolean; trust?: boolean }) => {
      if (options.trust === true) return done(await agree(services, outputMode(options) === 'json'));
      const files = await services.settingsFiles.paths();
      const read = readSettings(await services.settingsFiles.layers());
      const isJson = outputMode(options) === 'json';
      if (read.kind === 'problems') {
        if (isJson) services.print(toJson({ ok: false, files, problems: read.problems }));
        else
          services.complain(
            ['devs: the configuration has problems:', ...read.problems.map(describeProblem)].join('\n'),
          );
        return done(1);
      }
      const isAsked = (name: string) => key === undefined || name === key || name.startsWith(`${key}.`);
      const settings = listSettings(read.settings, read.sources).filter((setting) => isAsked(setting.key));
      if (settings.length === 0) {
        services.complain(`devs: there is no setting ${visible(key ?? '')}. \`devs config\` lists all.`);
        return done(2);
      }
      if (isJson) services.print(toJson({ ok: true, files, settings }));
      else {
        const columns = services.isTerminal ? services.screen.columns : Number.POSITIVE_INFINITY;
        services.print(renderSettings(settings, { ...services.screen, columns }).join('\n'));
      }
      done(0);
    });
}

async function agree({ settingsFiles, print }: Services, isJson: boolean): Promise<number> {
  const { project } = await settingsFiles.paths();
  const trusted = await settingsFiles.trust();
  const said =
    trusted.length === 0
      ? 'It sets nothing that you have to agree to.'
      : `You agree to what it sets: ${trusted.join(', ')}. When it changes, you are asked again.`;
  print(isJson ? toJson({ file: project, trusted }) : `${visible(project)}: ${said}`);
  return 0;
}
