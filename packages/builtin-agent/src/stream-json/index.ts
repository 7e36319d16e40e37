export { runStream, type StreamRun } from './run-stream.js';
export type { StreamSetup } from './stream-setup.js';
