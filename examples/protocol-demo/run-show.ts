import {
  ContextRefresher,
  createMarkdownSummaryProvider,
  type LlmClient,
  OrchestratorContextInjector,
  type SummaryProvider,
  TurnExecutor,
  type TurnOutcome,
} from '@devs/core';
import { checkTurn } from './check-turn.js';
import { PRD, TAS } from './project-documents.js';
import type { Scene } from './scenes.js';
import type { Ending, Report, ShowEvent } from './show-event.js';
import { totalsOf } from './totals.js';
import { foldAccounts, type TurnAccount } from './turn-account.js';

export interface ShowDeps {
  readonly scenes: readonly Scene[];
  readonly model: LlmClient;
  readonly report: Report;
}

/** After so many turns the summaries of TAS and PRD are due again. */
const THRESHOLD = 5;

/** Takes every scene through the real turn executor, reports what happens, and checks what comes out. */
export async function runShow(deps: ShowDeps): Promise<{ readonly problems: readonly string[] }> {
  const { scenes, model } = deps;
  let turn = 0;
  let accounts: readonly TurnAccount[] = [];
  const report: Report = (event) => {
    accounts = foldAccounts(accounts, event);
    deps.report(event);
  };
  const summaries = createMarkdownSummaryProvider({ tas: TAS, prd: PRD });
  const refresher = new ContextRefresher({
    threshold: THRESHOLD,
    summaryProvider: observedProvider(summaries, () => report({ type: 'summaries.requested', turn })),
  });
  const executor = new TurnExecutor({
    llmClient: observedModel(model, () => turn, report),
    logger: { log: (log) => report({ type: 'protocol.logged', turn, log }) },
    contextInjector: new OrchestratorContextInjector(refresher),
  });

  const problems: string[] = [];
  report({ type: 'show.started', turns: scenes.length, threshold: THRESHOLD });
  for (const scene of scenes) {
    turn++;
    report({ type: 'turn.started', turn, title: scene.title });
    const ending = await endingOf(executor.execute(scene.prompt, contextOf(turn)));
    report({ type: 'turn.ended', turn, ending });
    const reinjected = turn % THRESHOLD === 0 ? await summaries.getSummary() : undefined;
    const found = checkTurn(scene, ending, reinjected);
    report({ type: 'turn.checked', turn, problems: found });
    problems.push(...found.map((problem) => `turn ${turn}: ${problem}`));
  }
  report({ type: 'show.completed', totals: totalsOf(accounts), problems });
  return { problems };
}

function observedModel(model: LlmClient, turn: () => number, report: Report): LlmClient {
  return {
    async complete(prompt, options) {
      report({ type: 'model.asked', turn: turn(), prompt });
      const answer = await model.complete(prompt, options);
      report(answered(turn(), answer));
      return answer;
    },
  };
}

function answered(turn: number, answer: Awaited<ReturnType<LlmClient['complete']>>): ShowEvent {
  const { text, stopReason } = typeof answer === 'string' ? { text: answer } : answer;
  return { type: 'model.answered', turn, text, ...(stopReason !== undefined && { stopReason }) };
}

const observedProvider = (provider: SummaryProvider, onRequest: () => void): SummaryProvider => ({
  getSummary() {
    onRequest();
    return provider.getSummary();
  },
});

const contextOf = (turnIndex: number) => ({ threadId: 'show', taskId: 'one-cent', agentRole: 'coder', turnIndex });

async function endingOf(work: Promise<TurnOutcome>): Promise<Ending> {
  try {
    const outcome = await work;
    if (outcome.state === 'COMPLETED') return outcome;
    const { reason, summary, calls, cost, error } = outcome.diagnosis;
    return { state: 'USER_ESCALATION', diagnosis: { reason, summary, calls, cost, error: error.message } };
  } catch (error) {
    return { state: 'REJECTED', error: error instanceof Error ? error.message : String(error) };
  }
}
