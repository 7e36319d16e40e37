/** A key of the configuration: its meaning and its values. */
export interface SettingKey {
  readonly description: string;
  readonly value: SettingValue;
}

/**
 * The kinds of values. The reader, the published JSON Schema, `devs config` and the file that `devs init` writes all come
 * from the table of these.
 */
export type SettingValue =
  | { readonly kind: 'text' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'flag' }
  | { readonly kind: 'count'; readonly least: number; readonly most: number }
  /** More than nothing, at most so much. */
  | { readonly kind: 'amount'; readonly most: number }
  | { readonly kind: 'pattern' }
  | { readonly kind: 'texts' }
  /** A program and its arguments. */
  | { readonly kind: 'command' }
  | { readonly kind: 'commands' }
  | SettingMapping
  /** Any number of mappings. `called`: the name of one of them in messages. */
  | { readonly kind: 'list'; readonly called: string; readonly of: SettingMapping }
  /** Any number of mappings, each under a name. */
  | { readonly kind: 'named'; readonly called: string; readonly of: SettingMapping };

export interface SettingMapping {
  readonly kind: 'mapping';
  readonly keys: Readonly<Record<string, SettingKey>>;
  /** Those that cannot be left out. */
  readonly required?: readonly string[];
  /** Where this one is there, none of those is needed. */
  readonly unless?: string;
}
