/** `json` gives the same facts as `text`, and nothing else on stdout. */
export type OutputMode = 'text' | 'json';

export const outputMode = (options: { readonly json?: boolean }): OutputMode => (options.json ? 'json' : 'text');
