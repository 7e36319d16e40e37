export { continuingLlm } from './continuing-llm.js';
export { deepFreeze } from './deep-freeze.js';
export { createRandom, type Random } from './random.js';
export { createRecordingLogger, type RecordingLogger } from './recording-logger.js';
export { rounds, seed } from './rounds.js';
export { type ScriptedLlm, scriptedLlm } from './scripted-llm.js';
export { randomEnvelope } from './tool-calls.js';
export { turnContext } from './turn-context.js';
export { validEnvelope } from './valid-envelope.js';
