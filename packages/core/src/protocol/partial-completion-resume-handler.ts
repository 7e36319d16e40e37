import { InvalidOptionError } from '../errors/invalid-option-error.js';
import { ResumeFailedError, type ResumeFailure } from '../errors/resume-failed-error.js';
import type { LlmAnswer, LlmClient } from '../ports/llm-client.js';
import type { Logger, ResumeTry } from '../ports/logger.js';
import { compact } from './json/compact.js';
import { joinCompletion } from './json/join-completion.js';
import { askModel, callTokens } from './model-answer.js';
import { parseSaopEnvelope } from './parse-saop-envelope.js';
import { detect } from './partial-completion-detector.js';
import { earlierResumePoint, nextResumePoint, type ResumePoint } from './resume-point.js';
import { envelopeKeysAt, type SaopEnvelope } from './saop-envelope.js';
import type { TurnContext } from './turn-context.js';

export { ResumeFailedError } from '../errors/resume-failed-error.js';

export interface ResumeHandlerDeps {
  readonly llmClient: LlmClient;
  readonly logger: Logger;
  /** How many tokens completing one answer may cost, all that is sent and written together. Default: 500,000. */
  readonly maxResumeTokens?: number;
}

export interface ResumeOptions {
  /** Text received after `prefix` before the cut; proof of how the text continues. */
  readonly received?: string;
}

const DEFAULT_MAX_RESUME_TOKENS = 500_000;
/** However cheap each may be. */
const MAX_CALLS = 100;

/** What one completion came to. */
type Progress =
  | { readonly kind: 'completed'; readonly envelope: SaopEnvelope }
  | { readonly kind: 'not-an-envelope'; readonly document: string }
  | { readonly kind: 'extended'; readonly point: ResumePoint }
  | { readonly kind: 'stuck'; readonly point: ResumePoint; readonly why: ResumeTry; readonly obstacle: Obstacle };

/** An ambiguous completion is no fault of the model: it is asked from an earlier place, where it has its own retry. */
type Obstacle = 'ambiguous' | 'unusable';

/** Completes an answer that was cut off, by asking the model for the rest of it. */
export class PartialCompletionResumeHandler {
  readonly #deps: ResumeHandlerDeps;

  constructor(deps: ResumeHandlerDeps) {
    const { maxResumeTokens } = deps;
    if (maxResumeTokens !== undefined && !(maxResumeTokens > 0)) {
      throw new InvalidOptionError({
        option: 'PartialCompletionResumeHandler: maxResumeTokens',
        received: maxResumeTokens,
        allowed: 'a number of tokens above 0',
      });
    }
    this.#deps = deps;
  }

  /**
   * Continues as long as each completion adds text, within the token cap. In a row, one completion may add nothing,
   * and one may be ambiguous. Rejects with `ResumeFailedError`, or with the signal's reason when the turn is aborted.
   */
  // REQ: 3_MCP-TAS-072
  async resume(prefix: string, turnContext: TurnContext, options: ResumeOptions = {}): Promise<SaopEnvelope> {
    const { logger, maxResumeTokens = DEFAULT_MAX_RESUME_TOKENS } = this.#deps;
    let point: ResumePoint = { prefix, received: options.received ?? '' };
    let stuck: ResumeTry | undefined;
    const stuckInARow = new Set<Obstacle>();
    const retried = new Set<string>();
    let shown = 0;
    let tokens = 0;

    for (let calls = 1; ; calls++) {
      const prompt = resumePrompt(point.prefix, stuck);
      const answer = await this.#ask(prompt, point, turnContext);
      const { inputTokens, outputTokens } = callTokens(prompt, turnContext.history, answer);
      tokens += inputTokens + outputTokens;
      shown = Math.max(shown, point.prefix.length);
      const progress = advance(point, answer, shown);
      logger.log({ event: 'RESUME_TRIED', shownChars: point.prefix.length, outcome: outcomeOf(progress) });

      switch (progress.kind) {
        case 'completed':
          logger.log({ event: 'RESUME_SUCCEEDED' });
          return progress.envelope;
        case 'not-an-envelope': // asking again from the same place cannot mend a mistake in the first half
          throw this.#failed(point, { completion: answer.text, reason: progress.kind, document: progress.document });
        case 'stuck': {
          const retry = `${progress.why} at ${progress.point.prefix.length}`;
          if (stuckInARow.has(progress.obstacle) || retried.has(retry)) {
            throw this.#failed(point, { completion: answer.text, reason: progress.why });
          }
          stuckInARow.add(progress.obstacle);
          retried.add(retry);
          break;
        }
        case 'extended':
          stuckInARow.clear();
      }
      // The next question costs at least as much as the last one did: it is not asked where that is too much.
      if (tokens + inputTokens > maxResumeTokens || calls === MAX_CALLS) {
        const reason = calls === MAX_CALLS ? `the limit of ${MAX_CALLS} calls` : `the cap of ${maxResumeTokens} tokens`;
        throw this.#failed(progress.point, { completion: answer.text, reason });
      }
      stuck = progress.kind === 'stuck' ? progress.why : undefined;
      point = progress.point;
    }
  }

  async #ask(prompt: string, point: ResumePoint, turnContext: TurnContext): Promise<LlmAnswer> {
    try {
      return await askModel(this.#deps.llmClient, prompt, turnContext);
    } catch (cause) {
      if (turnContext.signal?.aborted) throw cause;
      throw this.#failed(point, { completion: '', reason: 'the model could not be asked', cause });
    }
  }

  #failed({ prefix, received }: ResumePoint, failure: Omit<ResumeFailure, 'prefix'>): ResumeFailedError {
    this.#deps.logger.log({ event: 'RESUME_FAILED' });
    return new ResumeFailedError({ ...failure, prefix: prefix + received });
  }
}

/** Seed 004's words. A second attempt names the problem of the first, so that the same question is not asked twice. */
function resumePrompt(prefix: string, stuck: ResumeTry | undefined): string {
  const retry =
    stuck === undefined
      ? ''
      : `Your last completion could not be used (${stuck}). Reply with the missing characters only: no fence, no comment.\n`;
  return `${retry}Complete the following SAOP JSON starting exactly where it left off. Do not repeat or modify what has already been output. JSON so far:\n${prefix}`;
}

function advance(point: ResumePoint, { text, stopReason }: LlmAnswer, shown: number): Progress {
  const { prefix, received } = point;
  const join = joinCompletion(prefix, text, { received, stopReason, fits: isEnvelope, keysAt: envelopeKeysAt });
  if (!join.joined) {
    const why: ResumeTry = `refused: ${join.reason}`;
    // Where two readings are possible, more proof decides; otherwise the same place is as good as any.
    return join.reason === 'ambiguous'
      ? { kind: 'stuck', why, obstacle: 'ambiguous', point: earlierResumePoint(point) }
      : { kind: 'stuck', why, obstacle: 'unusable', point };
  }
  const detection = detect(join.text, { stopReason });
  if (detection.partial) {
    const next = isFurther(join.text, prefix + received) ? nextResumePoint(detection, shown, join.text) : undefined;
    return next === undefined
      ? { kind: 'stuck', point, why: 'no-progress', obstacle: 'unusable' }
      : { kind: 'extended', point: next };
  }
  const parsed = parseSaopEnvelope(join.text);
  return parsed.valid
    ? { kind: 'completed', envelope: parsed.envelope }
    : { kind: 'not-an-envelope', document: join.text };
}

/** The model may have used another layout: only the content counts, and whether an unfinished word has ended. */
function isFurther(text: string, before: string): boolean {
  const more = compact(text).length - compact(before).length;
  return more > 0 || (more === 0 && endsInWord(before) && !endsInWord(text));
}

function endsInWord(text: string): boolean {
  const cut = detect(text, { stopReason: 'max_tokens' });
  return cut.partial && (cut.cutIn === 'number' || cut.cutIn === 'literal');
}

const isEnvelope = (value: unknown) => parseSaopEnvelope(value).valid;

const outcomeOf = (progress: Progress): ResumeTry => (progress.kind === 'stuck' ? progress.why : progress.kind);
