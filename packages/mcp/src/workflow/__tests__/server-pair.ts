import type { StatusAnswer } from '../status-answer.js';
import type { createToolWorld } from './tool-world.js';

export type ServerAnswer = { readonly answer: StatusAnswer } | { readonly error: unknown };

export interface ToolRequest {
  readonly name: string;
  readonly input: object;
}

class AnswerLost extends Error {
  constructor(readonly answer: StatusAnswer) {
    super('the answer did not reach the agent');
  }
}

/** Two servers on the same worktree and store. Either may be replaced by a new server. */
export function createServerPair(world: ReturnType<typeof createToolWorld>) {
  let isLosing = false;
  const started: Server[] = [];
  const startServer = () => {
    const deliver = async (answer: StatusAnswer) => {
      if (isLosing) throw new AnswerLost(answer);
    };
    const server = world.startServer({ deliver });
    started.push(server);
    return server;
  };
  const servers: [Server, Server] = [startServer(), startServer()];

  /** The answer, also where it `isLost` to the agent, which the server then knows. */
  async function send(server: 0 | 1, { name, input }: ToolRequest, isLost = false): Promise<ServerAnswer> {
    isLosing = isLost;
    try {
      return { answer: await servers[server](name, input) };
    } catch (error) {
      return error instanceof AnswerLost ? { answer: error.answer } : { error };
    } finally {
      isLosing = false;
    }
  }

  return {
    send,
    sendToBoth: (request: ToolRequest) => Promise.all([send(0, request), send(1, request)]),
    restart(server: 0 | 1) {
      servers[server] = startServer();
    },
    /** Resolves when nothing writes to the worktree any more. */
    async flush() {
      for (const server of started) await server.flush();
    },
  };
}

type Server = ReturnType<ReturnType<typeof createToolWorld>['startServer']>;
