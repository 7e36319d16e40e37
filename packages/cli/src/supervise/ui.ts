import { Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import type { SuperviseServices } from './supervise-services.js';

const MORE_HELP = `
The link works once, for a minute. The page listens on 127.0.0.1 only; from
another machine: ssh -L PORT:127.0.0.1:PORT HOST, then open the link there.

  --print    print the link and open no browser
  --viewer   a link for someone who may look, and change nothing

Examples:
  devs ui
  devs ui --print --viewer`;

interface UiOptions {
  readonly port?: number;
  readonly print?: boolean;
  readonly viewer?: boolean;
  readonly json?: boolean;
}

/** Opens the page. */
export function uiCommand(services: SuperviseServices, done: (exitCode: number) => void): Command {
  return new Command('ui')
    .description('Open the page: every agent at a glance')
    .addOption(portOption())
    .option('--print', 'print the link and open no browser')
    .option('--viewer', 'a link for someone who may look, and change nothing')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (options: UiOptions) => {
      const { port, print, viewer } = options;
      const link = await services.page.makeLink({
        scope: viewer === true ? 'viewer' : 'owner',
        ...(port === undefined ? {} : { port }),
      });
      const isJson = outputMode(options) === 'json';
      const isOpened = print !== true && viewer !== true && !isJson && services.page.openBrowser(link.url);
      if (isJson) services.print(toJson(link));
      else for (const line of describe(link.url, isOpened)) services.print(line);
      done(0);
    });
}

export const portOption = (): Option =>
  new Option('--port <number>', 'serve the page on this port of 127.0.0.1').argParser(parsePort);

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError('a number from 1 to 65535.');
}

const describe = (url: string, isOpened: boolean): readonly string[] =>
  isOpened
    ? ['Opened the page in your browser. If it did not open, use this link, once, within a minute:', `  ${url}`]
    : ['Open this link within a minute. It works once; `devs ui` makes another one.', `  ${url}`];
