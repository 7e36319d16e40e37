export { createScriptedLlmClient, type ScriptedLlmClientOptions } from './in-process/create-scripted-llm-client.js';
export { ScriptedModelError } from './in-process/scripted-model-error.js';
export type { Answer, AnswerPart, ModelError, Reply } from './reply/reply.js';
export type {
  ApiName,
  ModelRequest,
  OfferedTool,
  RequestMessage,
  ToolCall,
  ToolResult,
} from './request/model-request.js';
export type { Purpose } from './request/purpose-of.js';
export { parseScenario } from './scenario/parse-scenario.js';
export { readScenario } from './scenario/read-scenario.js';
export type { Condition, Rule, Scenario } from './scenario/scenario.js';
export { EMPTY_SCENARIO } from './scenario/scenario.js';
export { ScenarioError } from './scenario/scenario-error.js';
export type { OtherRequest, Outcome, RecordedRequest } from './server/recorded-request.js';
export { type ModelServer, type ModelServerOptions, startModelServer } from './server/start-model-server.js';
