import { messageOf } from '../errors/message-of.js';
import type { LlmAnswer, LlmClient } from '../ports/llm-client.js';
import type { Logger } from '../ports/logger.js';
import { MalformedResponseHandler } from '../protocol/malformed-response-handler.js';
import { askModel } from '../protocol/model-answer.js';
import type { OrchestratorContextInjector } from '../protocol/orchestrator-context-injector.js';
import { PartialCompletionResumeHandler } from '../protocol/partial-completion-resume-handler.js';
import { recoverAnswer } from '../protocol/recover-answer.js';
import type { SaopEnvelope } from '../protocol/saop-envelope.js';
import type { TurnContext } from '../protocol/turn-context.js';
import { untilAborted } from '../protocol/until-aborted.js';
import { diagnose, type EscalationDiagnosis } from './escalation.js';
import { createTurnLedger, type TurnCost, type TurnLedger } from './turn-ledger.js';

export interface TurnExecutorDeps {
  readonly llmClient: LlmClient;
  readonly logger: Logger;
  /** Puts the summaries back in front of the agent when they are due. */
  readonly contextInjector?: OrchestratorContextInjector;
  /** How many formatting corrections a turn may ask for. Default: 2. */
  readonly maxCorrections?: number;
  /** How many tokens completing one cut-off answer may cost. Default: 500,000. */
  readonly maxResumeTokens?: number;
}

export type TurnOutcome =
  | { readonly state: 'COMPLETED'; readonly envelope: SaopEnvelope; readonly cost: TurnCost }
  | { readonly state: 'USER_ESCALATION'; readonly diagnosis: EscalationDiagnosis };

/** Takes one turn: from a prompt to an envelope that may be carried out, or to a question that only the user can answer. */
export class TurnExecutor {
  readonly #deps: TurnExecutorDeps;

  constructor(deps: TurnExecutorDeps) {
    this.#deps = deps;
  }

  /**
   * Broken text is never carried out and never sent again unchanged. Rejects when the model cannot be called (with the
   * client's error) and when the turn is aborted (with the signal's reason); everything after the first answer ends in
   * one of the two states.
   */
  // REQ: TAS-035
  async execute(prompt: string, turnContext: TurnContext): Promise<TurnOutcome> {
    const ledger = createTurnLedger(this.#deps.llmClient);
    const answer = await askModel(ledger, prompt, turnContext);
    const followUps: TurnContext = {
      ...turnContext,
      history: [...(turnContext.history ?? []), { role: 'user', text: prompt }],
    };
    try {
      const envelope = await this.#envelopeFrom(answer, ledger, followUps);
      const refreshed = await this.#refresh(this.#withoutObservation(envelope, turnContext), turnContext);
      this.#deps.logger.log({
        event: 'TURN_COMPLETED',
        turnIndex: turnContext.turnIndex,
        calls: ledger.calls.length,
      });
      return { state: 'COMPLETED', envelope: refreshed, cost: ledger.cost() };
    } catch (error) {
      if (turnContext.signal?.aborted) throw error;
      const diagnosis = diagnose(error, ledger.calls, ledger.cost());
      this.#deps.logger.log({
        event: 'USER_ESCALATION',
        turnIndex: turnContext.turnIndex,
        reason: diagnosis.reason,
      });
      return { state: 'USER_ESCALATION', diagnosis };
    }
  }

  /** Cut off: resume. Complete, also once it was resumed, but no envelope: correct. */
  async #envelopeFrom(answer: LlmAnswer, ledger: TurnLedger, turnContext: TurnContext): Promise<SaopEnvelope> {
    const { logger, maxCorrections = 2, maxResumeTokens } = this.#deps;
    const resumeHandler = new PartialCompletionResumeHandler({
      llmClient: ledger,
      logger,
      ...(maxResumeTokens !== undefined && { maxResumeTokens }),
    });
    const corrector = new MalformedResponseHandler({
      maxRetries: maxCorrections,
      llmClient: ledger,
      logger,
      resumeHandler,
    });
    const recovered = await recoverAnswer(answer, { logger, resumeHandler }, turnContext);
    if (recovered.kind === 'envelope') return recovered.envelope;
    return corrector.handle(recovered.text, recovered.cause ?? null, turnContext);
  }

  /** An observation claimed by a model did not happen: the action has not been carried out yet. */
  #withoutObservation(envelope: SaopEnvelope, { turnIndex }: TurnContext): SaopEnvelope {
    if (envelope.observation === undefined) return envelope;
    this.#deps.logger.log({ event: 'OBSERVATION_DISCARDED', turnIndex });
    const { observation: _, ...written } = envelope;
    return written;
  }

  /** A summary that cannot be had must not cost a valid answer: the refresher tries again on the next turn. */
  async #refresh(envelope: SaopEnvelope, { turnIndex, signal }: TurnContext): Promise<SaopEnvelope> {
    const { contextInjector } = this.#deps;
    if (contextInjector === undefined) return envelope;
    try {
      const injected = await untilAborted(contextInjector.injectIfNeeded(envelope, turnIndex, signal), signal);
      if (injected !== envelope) this.#deps.logger.log({ event: 'CONTEXT_REFRESHED', turnIndex });
      return injected;
    } catch (error) {
      if (signal?.aborted) throw error;
      const message = messageOf(error);
      this.#deps.logger.log({ event: 'CONTEXT_REFRESH_FAILED', turnIndex, error: message });
      return envelope;
    }
  }
}
