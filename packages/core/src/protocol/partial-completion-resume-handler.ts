import { ResumeFailedError } from '../errors/resume-failed-error.js';
import type { LlmAnswer, LlmClient } from '../ports/llm-client.js';
import type { Logger, ResumeTry } from '../ports/logger.js';
import { estimateTokens } from '../tokens/estimate-tokens.js';
import { askModel } from './ask-model.js';
import { compact } from './json/compact.js';
import { joinCompletion } from './json/join-completion.js';
import { parseSaopEnvelope } from './parse-saop-envelope.js';
import { detect, type PartialCompletion } from './partial-completion-detector.js';
import { earlierResumePoint, type ResumePoint, resumePoint } from './resume-point.js';
import type { SaopEnvelope } from './saop-envelope.js';
import type { TurnContext } from './turn-context.js';

export { ResumeFailedError } from '../errors/resume-failed-error.js';

export interface ResumeHandlerDeps {
  readonly llmClient: LlmClient;
  readonly logger: Logger;
  /** How many tokens completing one answer may cost, questions and answers together. Default: 200,000. */
  readonly maxResumeTokens?: number;
}

export interface ResumeOptions {
  /** What had arrived behind `prefix` before the cut; proof of how the text goes on. */
  readonly received?: string;
}

const DEFAULT_MAX_RESUME_TOKENS = 200_000;

/** What one completion came to. */
type Progress =
  | { readonly kind: 'completed'; readonly envelope: SaopEnvelope }
  | { readonly kind: 'extended'; readonly cut: PartialCompletion }
  | { readonly kind: 'stuck'; readonly point: ResumePoint; readonly why: ResumeTry };

/** Completes an answer that was cut off, by asking the model for the rest of it. */
export class PartialCompletionResumeHandler {
  readonly #deps: ResumeHandlerDeps;

  constructor(deps: ResumeHandlerDeps) {
    this.#deps = deps;
  }

  /**
   * Goes on as long as each completion brings the text further, within the token cap; one that does not is allowed
   * once in a row. Rejects with `ResumeFailedError`, or with the signal's reason when the turn is aborted.
   */
  // REQ: 3_MCP-TAS-072
  async resume(prefix: string, turnContext: TurnContext, options: ResumeOptions = {}): Promise<SaopEnvelope> {
    const { logger, maxResumeTokens = DEFAULT_MAX_RESUME_TOKENS } = this.#deps;
    let point: ResumePoint = { prefix, received: options.received ?? '' };
    let stuck: ResumeTry | undefined;
    const retried = new Set<string>();
    let shown = 0;
    let tokens = 0;

    while (true) {
      const answer = await this.#ask(point, stuck, turnContext);
      tokens += costOf(point, answer);
      const progress = advance(point, answer);
      logger.log({ event: 'RESUME_TRIED', shownChars: point.prefix.length, outcome: outcomeOf(progress) });

      if (progress.kind === 'completed') {
        logger.log({ event: 'RESUME_SUCCEEDED' });
        return progress.envelope;
      }
      if (progress.kind === 'stuck') {
        const retry = `${progress.why} at ${progress.point.prefix.length}`;
        if (stuck !== undefined || retried.has(retry)) throw this.#failed(point, answer.text, progress.why);
        retried.add(retry);
      }
      if (!(tokens < maxResumeTokens)) throw this.#failed(point, answer.text, `the cap of ${maxResumeTokens} tokens`);
      stuck = progress.kind === 'stuck' ? progress.why : undefined;
      shown = Math.max(shown, point.prefix.length);
      point = progress.kind === 'extended' ? resumePoint(progress.cut, shown) : progress.point;
    }
  }

  async #ask(point: ResumePoint, stuck: ResumeTry | undefined, turnContext: TurnContext): Promise<LlmAnswer> {
    try {
      return await askModel(this.#deps.llmClient, resumePrompt(point.prefix, stuck), turnContext);
    } catch (cause) {
      if (turnContext.signal?.aborted) throw cause;
      throw this.#failed(point, '', 'the model could not be asked', cause);
    }
  }

  #failed({ prefix, received }: ResumePoint, completion: string, reason: string, cause?: unknown): ResumeFailedError {
    this.#deps.logger.log({ event: 'RESUME_FAILED' });
    return new ResumeFailedError({ prefix: prefix + received, completion, reason, cause });
  }
}

/** Seed 004's words. A second try says what was wrong with the first, so that the same question is not asked twice. */
function resumePrompt(prefix: string, stuck: ResumeTry | undefined): string {
  const retry =
    stuck === undefined
      ? ''
      : `Your last completion could not be used (${stuck}). Reply with the missing characters only: no fence, no comment.\n`;
  return `${retry}Complete the following SAOP JSON starting exactly where it left off. Do not repeat or modify what has already been output. JSON so far:\n${prefix}`;
}

function advance(point: ResumePoint, { text, stopReason }: LlmAnswer): Progress {
  const { prefix, received } = point;
  const join = joinCompletion(prefix, text, { received, stopReason, fits: isEnvelope });
  if (!join.joined) {
    // Where two readings are possible, more proof decides; otherwise the same place is as good as any.
    return {
      kind: 'stuck',
      why: `refused: ${join.reason}`,
      point: join.reason === 'ambiguous' ? earlierResumePoint(point) : point,
    };
  }
  const detection = detect(join.text, { stopReason });
  if (detection.partial) {
    // The model may have told it again in another layout: only what it says counts.
    const had = compact(prefix + received).length;
    if (compact(detection.resumablePrefix).length <= had) return { kind: 'stuck', point, why: 'no-progress' };
    return { kind: 'extended', cut: detection };
  }
  const parsed = parseSaopEnvelope(join.text);
  return parsed.valid
    ? { kind: 'completed', envelope: parsed.envelope }
    : { kind: 'stuck', point, why: 'not-an-envelope' };
}

/** What the provider reports, or an estimate where it reports nothing. */
function costOf({ prefix }: ResumePoint, { text, usage }: LlmAnswer): number {
  const reported = usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
  return reported > 0 ? reported : estimateTokens(prefix) + estimateTokens(text);
}

const isEnvelope = (value: unknown) => parseSaopEnvelope(value).valid;

const outcomeOf = (progress: Progress): ResumeTry => (progress.kind === 'stuck' ? progress.why : progress.kind);
