import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store, type StoreBackend } from '@devs/core';
import { createManualClock, createMemoryBackend, createMemoryDisk } from '@devs/core/testing';
import { onTestFinished } from 'vitest';
import { createWorkflowContext } from '../create-workflow-server.js';
import type { StatusAnswer } from '../status-answer.js';
import { workflowTools } from '../workflow-tools.js';

export type Call = (name: string, input?: object) => Promise<StatusAnswer>;

/** Everything of one worktree that outlives a server, and servers on it without a process. */
export function createToolWorld(yaml: string) {
  const worktree = realpathSync(mkdtempSync(join(tmpdir(), 'devs-tools-')));
  onTestFinished(() => rmSync(worktree, { recursive: true, force: true, maxRetries: 3 }));
  const workflowPath = join(worktree, 'workflow.yaml');
  writeFileSync(workflowPath, yaml);
  let disk = createMemoryDisk();
  const clock = createManualClock();
  const open = (wrap: (backend: StoreBackend) => StoreBackend = (backend) => backend): Store =>
    openStore({ backend: wrap(follow(() => createMemoryBackend(disk))), clock, newId: randomUUID });

  /**
   * A server's tools. Each call goes through the schemas of its tool, as in the server. Jobs after the answer run once
   * `deliver`, the stand-in for the way to the client, has let it pass.
   */
  function startServer({ store = open(), deliver = async (_answer: StatusAnswer) => {} } = {}) {
    const context = createWorkflowContext({
      store,
      worktree,
      worktreeStream: 'worktree:test',
      workflowPath,
      templateFolders: [],
      newId: randomUUID,
    });
    const call: Call = async (name, input = {}) => {
      const tool = workflowTools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      const jobs: (() => Promise<void>)[] = [];
      const signal = new AbortController().signal;
      const answer = await tool.call(input, { context, signal, afterAnswer: (job) => void jobs.push(job) });
      const checked = tool.output.parse(answer) as StatusAnswer;
      await deliver(checked);
      for (const job of jobs) await job();
      return checked;
    };
    return Object.assign(call, { flush: () => context.stateFile.flush() });
  }

  /** What happened in the run that is current, without what differs from one run to the next. */
  async function history(): Promise<readonly string[]> {
    const { log } = open();
    const [opened] = (await log.read({ stream: 'worktree:test' }))
      .filter(({ type }) => type === 'run.opened')
      .slice(-1);
    if (opened === undefined) return [];
    const events = await log.read({ stream: `run:${String(opened.data['run'])}` });
    return events.map(({ type, data }) => `${type}${data['visit'] === undefined ? '' : ` ${data['visit']}`}`);
  }

  /** As if the database were another one behind the backs of those who have it open. */
  const emptyStore = () => {
    disk = createMemoryDisk();
  };

  return { worktree, workflowPath, clock, open, startServer, history, emptyStore };
}

/** The current backend at the time of each call. */
const follow = (current: () => StoreBackend): StoreBackend =>
  new Proxy({} as StoreBackend, {
    get: (_, name) => Reflect.get(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => ({
      configurable: true,
      enumerable: true,
      value: Reflect.get(current(), name),
    }),
  });
