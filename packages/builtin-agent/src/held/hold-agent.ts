import type { ChannelMessage } from '@devs/core';
import { AgentError } from '../session/agent-error.js';
import type { Face } from '../session/agent-setup.js';
import { openTerminalFace, type TerminalFace, type TerminalStreams } from '../terminal/terminal-face.js';
import type { HeldAgent } from './held-agent.js';

export interface Holding extends TerminalStreams {
  /** As the user calls the agent. */
  readonly name: string;
  /** How it is reached, for people: `ACP`. */
  readonly by: string;
  open(face: Face): Promise<HeldAgent>;
  readonly prompt?: string | undefined;
  readonly newId: () => string;
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal;
}

/** As a shell says it of a program that SIGTERM ended. */
const ENDED = 143;

/** Holds an agent in a terminal until it is told to end, or the agent ends. Resolves with the exit code. */
export async function holdAgent(holding: Holding): Promise<number> {
  const face = openTerminalFace(holding);
  let agent: HeldAgent | undefined;
  try {
    agent = await holding.open(face);
    face.say(`${agent.title}, by ${holding.by}. /exit ends it.`);
    await takeRequests(agent, face, holding);
    return holding.signal.aborted ? ENDED : 0;
  } finally {
    await agent?.close();
    face.close();
  }
}

type Job = { readonly do: 'prompt'; readonly id: string; readonly text: string } | { readonly do: 'compact' | 'clear' };

/** One after the other, by keys and over the channel; an interrupt and an answer at once. Rejects when the agent has ended. */
function takeRequests(agent: HeldAgent, face: TerminalFace, { name, newId, prompt, signal }: Holding): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiting: Job[] = [];
    let isAtWork = false;
    const work = async () => {
      if (isAtWork) return;
      isAtWork = true;
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await perform(job, agent, face);
      isAtWork = false;
    };
    const take = (job: Job) => {
      waiting.push(job);
      work().catch(reject);
    };
    const hear = (message: ChannelMessage) => {
      switch (message.do) {
        case 'interrupt':
          return void agent.interrupt();
        case 'answer': {
          const { requestId, choice, words } = message;
          const answered = agent.answer(requestId, choice, words);
          if (answered === 'settled' && words !== undefined) take({ do: 'prompt', id: newId(), text: words });
          return;
        }
        case 'usage':
          return agent.usage?.();
        case 'prompt':
          face.say(`» ${message.text}`);
          return take(message);
        case 'compact':
        case 'clear':
          return take({ do: message.do });
      }
    };
    const enter = (text: string) => {
      const asked = entered(text, newId);
      if (asked === 'exit') resolve();
      else if (asked !== undefined) take(asked);
    };
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    void agent.ended.then((why) => reject(new AgentError(`${name} ended: ${why}`)));
    face.onEvent((event) => {
      if (event.type === 'asked') hear(event.message);
      else if (event.type === 'entered') enter(event.text);
      else if (event.type === 'ended') resolve();
      else if (!agent.interrupt()) face.say('/exit ends the agent.');
    });
    if (prompt !== undefined && prompt !== '') take({ do: 'prompt', id: newId(), text: prompt });
  });
}

/** What the user entered at the prompt. */
function entered(text: string, newId: () => string): Job | 'exit' | undefined {
  switch (text.trim()) {
    case '':
      return undefined;
    case '/exit':
    case '/quit':
      return 'exit';
    case '/compact':
      return { do: 'compact' };
    case '/clear':
      return { do: 'clear' };
    default:
      return { do: 'prompt', id: newId(), text };
  }
}

async function perform(job: Job, agent: HeldAgent, face: TerminalFace): Promise<void> {
  switch (job.do) {
    case 'prompt':
      return agent.prompt(job.text, job.id);
    case 'clear':
      return agent.clear();
    case 'compact':
      if (!(await agent.compact())) face.say('This agent is not known to compact when it is asked to.');
  }
}
