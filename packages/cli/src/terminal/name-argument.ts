/** For `.argument(…)` of every command about one terminal. */
export const NAME = ['<name>', 'of the terminal, or its beginning; `devs` lists them'] as const;
