import { describeError, type McpLogger } from '../logger.js';

/** The jobs that one call asked for; see `ToolCall.afterAnswer`. */
export interface AfterAnswerJobs {
  add(job: () => Promise<void>): void;
  isEmpty(): boolean;
  /** Never rejects. A job may add others; afterwards the list is closed. */
  run(): Promise<void>;
  /** Closes the list without running its jobs. */
  drop(): void;
}

export function createAfterAnswerJobs({
  tool,
  logger,
}: {
  readonly tool: string;
  readonly logger: McpLogger;
}): AfterAnswerJobs {
  const jobs: (() => Promise<void>)[] = [];
  let over = false;
  return {
    add(job) {
      if (over) throw new Error(`the call of ${tool} is over: afterAnswer must be called before it is answered`);
      jobs.push(job);
    },
    isEmpty: () => jobs.length === 0,
    async run() {
      for (const job of jobs) {
        try {
          await job();
        } catch (error) {
          logger.log({ event: 'AFTER_ANSWER_JOB_THREW', tool, error: describeError(error) });
        }
      }
      over = true;
    },
    drop() {
      over = true;
    },
  };
}
