import { Command } from 'commander';
import { jsonOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { installService } from './install-service.js';
import type { SuperviseServices } from './supervise-services.js';
import { portOption } from './ui.js';

const MORE_HELP = `
The supervisor holds every run of yours. It starts by itself when a command
needs it, and ends when nothing is left: \`devs up\` keeps it running.

  --foreground   supervise in this process, for containers and services
  --install      write a systemd user unit, or a launchd agent
  --port         serve the page on this port, and print a link to it

Examples:
  devs up
  devs up --install`;

interface UpOptions {
  readonly foreground?: boolean;
  readonly install?: boolean;
  readonly port?: number;
  readonly json?: boolean;
}

/** Has the supervisor stay. */
export function upCommand(services: SuperviseServices, done: (exitCode: number) => void): Command {
  return new Command('up')
    .description('Start the supervisor, and have it stay')
    .option('--foreground', 'supervise in this process')
    .option('--install', 'write the unit of a service that supervises after a restart')
    .addOption(portOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (options: UpOptions) => {
      const { foreground, install } = options;
      if (install === true) {
        for (const line of installService(services.servicePlace)) services.print(line);
        return done(0);
      }
      if (foreground === true) {
        const begin = () => services.warn('devs: supervising until Ctrl-C or `devs down`.');
        if ((await services.superviseHere(begin)) === 'ended') return done(0);
        services.warn('devs: a supervisor of yours runs already. End it with `devs down`, and try again.');
        return done(1);
      }
      const status = await services.supervisor.use(async (port) => {
        await port.keep();
        return port.status();
      });
      const { port } = options;
      const link = port === undefined ? undefined : await services.page.makeLink({ scope: 'owner', port });
      if (outputMode(options) === 'json')
        services.print(toJson({ supervisor: status, ...(link && { page: link.url }) }));
      else services.print(`The supervisor runs as process ${status.pid} and stays until \`devs down\`.`);
      if (outputMode(options) !== 'json' && link !== undefined)
        services.print(`The page, once, within a minute:\n  ${link.url}`);
      done(0);
    });
}
