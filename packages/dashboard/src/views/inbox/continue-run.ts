import type { PageStore } from '../../live/page-store.js';

interface Answered {
  readonly run: string;
  readonly project: string;
}

const AGAIN_MS = 500;
/** An agent that is being ended is given less than this. */
const MAX_LOOKS = 60;

/** A run that was paused for want of an answer is continued, so that the answer reaches its agent. Says what came of it. */
export async function continueRun({ client, get }: Pick<PageStore, 'client' | 'get'>, of: Answered): Promise<string> {
  const isPaused = () =>
    get()
      .projects.find(({ root }) => root === of.project)
      ?.runs.get(of.run)?.facts.phase.kind === 'paused';
  for (let look = 0; look < MAX_LOOKS; look++) {
    const { state } = await client.call('runs.get', of);
    if (state === 'paused' || state === 'interrupted') return resume(client, of);
    if (!isPaused()) return 'Answer stored. The agent gets it at its next pause.';
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS)); // its agent is being ended
  }
  return 'Answer stored. Resume the run to bring it to the agent.';
}

async function resume(client: PageStore['client'], of: Answered): Promise<string> {
  const resumed = await client.call('runs.resume', of);
  if (resumed.status === 'started') return 'Answer stored. The run continues with it.';
  const why = resumed.status === 'refused' ? `${resumed.reason}. ${resumed.advice}` : resumed.status;
  throw new Error(`Answer stored, but the run does not continue: ${why}`);
}
