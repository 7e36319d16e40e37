export type { AcpSetup } from './acp-setup.js';
export { type AcpRun, runAcp } from './run-acp.js';
