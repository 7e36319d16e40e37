export { commandEnvironment, isKeptBack, keptBackFrom, sandboxEnvironment } from './command-environment.js';
export { createNoSandbox } from './create-no-sandbox.js';
export { type GitPlace, planSandbox, type SandboxPlace } from './plan-sandbox.js';
export { type Sandbox, type SandboxedCommand, type SandboxSettings, sandboxSettingsOf } from './sandbox.js';
export { arrangeRules, foldersBetween, isBelow, type SandboxPlan, type SandboxRule } from './sandbox-rule.js';
