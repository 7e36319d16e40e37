import type { AgentSetup } from '../session/agent-setup.js';
import { type Agent, openAgent } from '../session/open-agent.js';
import { createPlainFace } from '../terminal/plain-face.js';
import { openTerminalFace, type TerminalFace, type TerminalStreams } from '../terminal/terminal-face.js';

export interface AgentRun extends TerminalStreams {
  readonly setup: AgentSetup;
  readonly prompt?: string | undefined;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
}

/** On a terminal: until it is asked to end. Otherwise: one prompt. Resolves with the exit code. */
export async function runAgent(run: AgentRun): Promise<number> {
  const isTerminal = run.input.isTTY === true && run.output.isTTY === true;
  return isTerminal ? runOnTerminal(run) : runOnce(run);
}

async function runOnTerminal(run: AgentRun): Promise<number> {
  const face = openTerminalFace(run);
  let agent: Agent | undefined;
  try {
    agent = await openAgent(run.setup, face);
    face.say(`devs agent, ${run.setup.model.name}. /status tells more, /exit ends it.`);
    await takePrompts(agent, face, run);
    return run.signal.aborted ? ENDED : 0;
  } finally {
    await agent?.close();
    face.close();
  }
}

/** As a shell says it of a program that SIGTERM ended. */
const ENDED = 143;
const FAILED = 1;

/** One after the other; later input waits. */
function takePrompts(agent: Agent, face: TerminalFace, { prompt, signal }: AgentRun): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiting: string[] = [];
    let isAtWork = false;
    const work = async () => {
      if (isAtWork) return;
      isAtWork = true;
      for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
        if ((await agent.obey(text)) === 'exit') return resolve();
      }
      isAtWork = false;
    };
    const take = (text: string) => {
      waiting.push(text);
      work().catch(reject);
    };
    const onAbort = () => {
      agent.interrupt();
      resolve();
    };
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    face.onEvent((event) => {
      if (event.type === 'entered') take(event.text);
      else if (event.type === 'ended') resolve();
      else if (event.type === 'asked')
        return; // this agent is typed to
      else if (!agent.interrupt()) face.say('/exit ends the agent.');
    });
    if (prompt !== undefined && prompt !== '') take(prompt);
  });
}

async function runOnce({ setup, prompt, signal, input, output }: AgentRun): Promise<number> {
  const face = createPlainFace((text) => void output.write(`${text}\n`));
  const agent = await openAgent(setup, face);
  const onAbort = () => agent.interrupt();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const request = prompt ?? (await readAll(input));
    if (request.trim() === '') {
      face.say('Missing prompt. Example: devs agent "Fix the failing test"');
      return FAILED;
    }
    const obeyed = await agent.obey(request);
    if (signal.aborted) return ENDED;
    return obeyed === 'failed' ? FAILED : 0;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await agent.close();
  }
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of input.setEncoding('utf8')) text += chunk;
  return text;
}
