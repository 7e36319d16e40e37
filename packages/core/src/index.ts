export { DevsError, type DevsErrorCode } from './errors/devs-error.js';
export { InvalidOptionError } from './errors/invalid-option-error.js';
export { ModelAnswerError } from './errors/model-answer-error.js';
export * from './orchestrator/index.js';
export * from './protocol/index.js';
export { estimateTokens } from './tokens/estimate-tokens.js';
export { fitTokens } from './tokens/fit-tokens.js';
