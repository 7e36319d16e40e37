import { InvalidOptionError } from '../errors/invalid-option-error.js';
import { createSerialQueue } from '../serial-queue.js';
import { untilAborted } from './until-aborted.js';

/**
 * Produces the two summaries that are put in front of the agent again.
 *
 * Contract: may reject. The refresher neither retries nor hides the error; the orchestrator decides. Called once for
 * each refresh that is due, never on other turns, never twice at the same time for one node.
 */
export interface SummaryProvider {
  getSummary(): Promise<{ tasSummary: string; prdSummary: string }>;
}

export interface RefreshResult {
  refreshed: boolean;
  injectedSummary?: string;
}

export interface ContextRefresherOptions {
  /** After how many turns in one node the summaries are due again. Default: 5. */
  threshold?: number;
  summaryProvider: SummaryProvider;
}

/** How the text begins that puts the summaries in front of an agent again. */
export const CONTEXT_REFRESH = '[CONTEXT REFRESH]';

export const contextRefreshText = ({ tasSummary, prdSummary }: { tasSummary: string; prdSummary: string }): string =>
  `${CONTEXT_REFRESH}\n## TAS Summary\n${tasSummary}\n\n## PRD Summary\n${prdSummary}`;

const DEFAULT_THRESHOLD = 5;

/** The turns of one node. Each node has its own count and queue: running turns stay with it when it is left. */
interface NodeTurns {
  count: number;
  readonly inOrder: ReturnType<typeof createSerialQueue>;
}

/** Counts turns in the current orchestrator node and says when the TAS and PRD summaries are due again. */
// REQ: 3_MCP-TAS-088
// REQ: 3_MCP-TAS-089
export class ContextRefresher {
  readonly #threshold: number;
  #node: NodeTurns = freshNode();

  constructor(private options: ContextRefresherOptions) {
    this.#threshold = validThreshold(options.threshold ?? DEFAULT_THRESHOLD);
  }

  /** How many turns are left until the summaries are due; 0 or less while a refresh that was due has not succeeded. */
  get turnsUntilRefresh(): number {
    return this.#threshold - this.turnsInCurrentNode;
  }

  private get turnsInCurrentNode(): number {
    return this.#node.count;
  }

  /**
   * Counts one turn. Turns are counted by call, since a node may be entered at any index. Calls that overlap are
   * counted one after another. If the provider rejects, so does this; the count stays, and the next turn tries again.
   * The same when `signal` is aborted: a provider that hangs does not hold up the turns that follow.
   */
  onTurn(_turnIndex: number, signal?: AbortSignal): Promise<RefreshResult> {
    const node = this.#node;
    return node.inOrder(() => this.#countTurn(node, signal));
  }

  /** To be called when the orchestrator enters another node: counting starts again, nothing is refreshed. */
  resetNode(): void {
    this.#node = freshNode();
  }

  async #countTurn(node: NodeTurns, signal: AbortSignal | undefined): Promise<RefreshResult> {
    node.count++;
    if (node.count < this.#threshold) return { refreshed: false };
    const summary = await untilAborted(this.options.summaryProvider.getSummary(), signal);
    node.count = 0;
    return {
      refreshed: true,
      injectedSummary: contextRefreshText(summary),
    };
  }
}

const freshNode = (): NodeTurns => ({ count: 0, inOrder: createSerialQueue() });

function validThreshold(threshold: number): number {
  if (Number.isInteger(threshold) && threshold > 0) return threshold;
  throw new InvalidOptionError({
    option: 'ContextRefresher: threshold',
    received: threshold,
    allowed: 'a whole number of turns, 1 or more',
  });
}
