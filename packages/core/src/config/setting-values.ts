/** A settings file as it was understood: the known keys only, nested as in the file. */
export interface SettingValues {
  readonly [key: string]: SettingLeaf | SettingValues;
}

export type SettingLeaf = string | number | boolean | readonly (SettingLeaf | SettingValues)[];

export const isSettingValues = (value: unknown): value is SettingValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
