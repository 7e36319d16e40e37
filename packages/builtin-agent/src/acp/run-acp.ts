import type { ChannelMessage } from '@devs/core';
import { AgentError } from '../session/agent-error.js';
import { openTerminalFace, type TerminalFace, type TerminalStreams } from '../terminal/terminal-face.js';
import type { AcpSetup } from './acp-setup.js';
import { type AcpAgent, openAcpAgent } from './open-acp-agent.js';

export interface AcpRun extends TerminalStreams {
  readonly setup: AcpSetup;
  readonly prompt?: string | undefined;
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal;
}

/** As a shell says it of a program that SIGTERM ended. */
const ENDED = 143;

/** Holds an ACP agent in a terminal until it is told to end, or the agent ends. Resolves with the exit code. */
export async function runAcp(run: AcpRun): Promise<number> {
  const face = openTerminalFace(run);
  let agent: AcpAgent | undefined;
  try {
    agent = await openAcpAgent(run.setup, face);
    face.say(`${agent.title}, by ACP. /exit ends it.`);
    await takeRequests(agent, face, run);
    return run.signal.aborted ? ENDED : 0;
  } finally {
    await agent?.close();
    face.close();
  }
}

type Job = { readonly do: 'prompt'; readonly id: string; readonly text: string } | { readonly do: 'compact' | 'clear' };

/** One after the other, by keys and over the channel; an interrupt and an answer at once. Rejects when the agent has ended. */
function takeRequests(agent: AcpAgent, face: TerminalFace, { prompt, signal, setup }: AcpRun): Promise<void> {
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
        case 'answer':
          if (agent.answer(message.requestId, message.choice) && message.words !== undefined)
            take({ do: 'prompt', id: setup.newId(), text: message.words });
          return;
        case 'usage':
          return; // agents say it by themselves
        case 'prompt':
          face.say(`» ${message.text}`);
          return take(message);
        case 'compact':
        case 'clear':
          return take({ do: message.do });
      }
    };
    const enter = (text: string) => {
      switch (text.trim()) {
        case '':
          return;
        case '/exit':
        case '/quit':
          return resolve();
        case '/compact':
          return take({ do: 'compact' });
        case '/clear':
          return take({ do: 'clear' });
        default:
          take({ do: 'prompt', id: setup.newId(), text });
      }
    };
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    void agent.ended.then((why) => reject(new AgentError(`${setup.name} ended: ${why}`)));
    face.onEvent((event) => {
      if (event.type === 'asked') hear(event.message);
      else if (event.type === 'entered') enter(event.text);
      else if (event.type === 'ended') resolve();
      else if (!agent.interrupt()) face.say('/exit ends the agent.');
    });
    if (prompt !== undefined && prompt !== '') take({ do: 'prompt', id: setup.newId(), text: prompt });
  });
}

async function perform(job: Job, agent: AcpAgent, face: TerminalFace): Promise<void> {
  switch (job.do) {
    case 'prompt':
      return agent.prompt(job.text, job.id);
    case 'clear':
      return agent.clear();
    case 'compact':
      if (!(await agent.compact())) face.say('This agent is not known to compact when it is asked to.');
  }
}
