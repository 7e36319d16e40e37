import type { TaskStatus } from '@devs/core';
import { InvalidArgumentError, Option } from 'commander';
import { ALLOWED_STORES, parseStoreLocation } from '../store-access/store-location.js';
import { ALL_STATUSES, parseStatuses } from '../task/status-words.js';
import { parseDuration } from '../time/parse-duration.js';

/** What `openWorkflow` takes. */
export const WORKFLOW_ARGUMENT = 'its name, a file (with a / or .yaml), or `-` for stdin';

/** For `.argument(…)` of every command about one terminal. */
export const NAME = ['<name>', 'of the terminal, or its beginning; `devs` lists them'] as const;

/** Values of options from text; what makes no sense is refused with what would. Commander adds the option's name. */

export const storeOption = () =>
  new Option(
    '--store <store>',
    'sqlite:FILE, redis://… or rediss://…; default: $DEVS_STORE, or the project’s own',
  ).argParser((text) => parseStoreLocation(text) ?? refuse(ALLOWED_STORES));

export const jsonOption = (what = 'print the result as one JSON object') => new Option('--json', what);

export const claimOption = () =>
  new Option('--claim <number>', 'only while this claim of it holds; `task start` tells the number').argParser(
    wholeNumber({ from: 1 }),
  );

export const durationOption = (flags: string, description: string) =>
  new Option(flags, description).argParser(
    (text) => parseDuration(text) ?? refuse('Give a time such as 45s, 30m, 2h, 1h30m or 2d.'),
  );

export const wholeNumber =
  ({ from, to = Number.MAX_SAFE_INTEGER }: { readonly from: number; readonly to?: number }) =>
  (text: string): number => {
    const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= from && number <= to) return number;
    return refuse(
      to === Number.MAX_SAFE_INTEGER
        ? `Give a whole number from ${from} on.`
        : `Give a whole number from ${from} to ${to}.`,
    );
  };

/** Several values, by repeating the option or with commas. */
export const collectIds = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(',').filter((id) => id !== ''),
];

export const collectStatuses = (text: string, before: readonly TaskStatus[] = []): readonly TaskStatus[] => [
  ...before,
  ...text.split(',').flatMap((word) => parseStatuses(word) ?? refuse(`There are ${ALL_STATUSES.join(', ')} and open.`)),
];

function refuse(allowed: string): never {
  throw new InvalidArgumentError(allowed);
}
