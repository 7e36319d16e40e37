// Every line is a promise to callers, who may also `require` this file from `dist/`.
export { MalformedResponseError } from '../errors/malformed-response-error.js';
export { ResumeFailedError } from '../errors/resume-failed-error.js';
export type {
  CompleteOptions,
  LlmAnswer,
  LlmClient,
  LlmClient as ILlmClient,
  LlmMessage,
  TokenUsage,
} from '../ports/llm-client.js';
export type { LogEvent, Logger, Logger as ILogger, ResumeTry } from '../ports/logger.js';
export {
  ContextRefresher,
  type ContextRefresherOptions,
  type RefreshResult,
  type SummaryProvider,
} from './context-refresher.js';
export { type JoinOptions, type JoinRefusal, type JoinResult, joinCompletion } from './json/join-completion.js';
export { type JsonScan, JsonScanner } from './json/json-scanner.js';
export type { CutIn } from './json/json-value-scanner.js';
export { MalformedResponseHandler, type MalformedResponseHandlerDeps } from './malformed-response-handler.js';
export { OrchestratorContextInjector } from './orchestrator-context-injector.js';
export {
  describeProblem,
  type EnvelopeProblem,
  type ParsedEnvelope,
  parseSaopEnvelope,
} from './parse-saop-envelope.js';
export * as PartialCompletionDetector from './partial-completion-detector.js';
export { type Detection, type DetectOptions, detect, type PartialCompletion } from './partial-completion-detector.js';
export {
  PartialCompletionResumeHandler,
  type ResumeHandlerDeps,
  type ResumeOptions,
} from './partial-completion-resume-handler.js';
export { type ResumePoint, resumePoint } from './resume-point.js';
export { type SAOP_Envelope, SAOPEnvelopeSchema, type SaopEnvelope } from './saop-envelope.js';
export { createFixedSummaryProvider } from './summaries/fixed-summary-provider.js';
export { createMarkdownSummaryProvider, type MarkdownSummaryOptions } from './summaries/markdown-summary-provider.js';
export { summarizeMarkdown } from './summaries/summarize-markdown.js';
export type { TurnContext } from './turn-context.js';
