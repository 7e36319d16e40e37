export { type ChangedSettings, changeSetting, type SettingChange } from './change-setting.js';
export { type ListedSetting, listSettings } from './list-settings.js';
export { privilegedKeys } from './privileged-settings.js';
export {
  isFlag,
  type ReadSettings,
  readSettings,
  type SettingSource,
  type SettingSources,
  type SettingsLayer,
  type SettingsProblem,
} from './read-settings.js';
export { renderConfigFile } from './render-config-file.js';
export { SAFE_SETTINGS } from './safe-settings.js';
export type { SettingValues } from './setting-values.js';
export {
  type Budget,
  type Command,
  DEFAULT_SETTINGS,
  type DialogSetting,
  type MarkSettings,
  type ModelSettings,
  type PermissionSettings,
  type ReinjectionSettings,
  type RenewalSettings,
  type RunSettings,
  type SandboxedSettings,
  type Settings,
  type StuckSettings,
  type TokenPrice,
} from './settings.js';
export { terminalPolicyOf } from './terminal-policy.js';
