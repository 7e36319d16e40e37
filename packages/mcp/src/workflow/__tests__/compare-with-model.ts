import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowTemplate } from '@devs/core';
import { expect } from 'vitest';
import { expectStatus, expectTasks } from './expect-as-model.js';
import { createRequests, type ModelledRequest, STATUS_REQUEST } from './model-requests.js';
import type { Command } from './random-workflow.js';
import { createSeenTokens } from './seen-tokens.js';
import { createServerPair, type ServerAnswer } from './server-pair.js';
import { createToolWorld } from './tool-world.js';
import { answerOf, type ModelAnswer, type ModelRequest, type WorkflowModel } from './workflow-model.js';

const NOT_STARTED = 'Workflow not started. Call workflow_start first.';

/** Sends the commands to two servers on one store and to the model, and compares every answer and the final state. */
export async function compareWithModel(template: WorkflowTemplate, commands: readonly Command[]): Promise<void> {
  const world = createToolWorld(JSON.stringify(template));
  const servers = createServerPair(world);
  const comparison = createComparison(template, servers);
  try {
    for (const command of commands) await comparison.carryOut(command);
    await comparison.compareWhatIsLeft(join(world.worktree, 'workflow-state.json'));
  } finally {
    await servers.flush();
    rmSync(world.worktree, { recursive: true, force: true });
  }
}

function createComparison(template: WorkflowTemplate, servers: ReturnType<typeof createServerPair>) {
  const model: WorkflowModel = { template, run: undefined };
  const tokens = createSeenTokens(model);
  const requestOf = createRequests(model, tokens);

  async function carryOut(command: Command): Promise<void> {
    const { server, way } = command;
    if (command.do === 'restart server') return servers.restart(server);
    if (command.do === 'context') return compareOutputs(server);
    if (command.do === 'write handoff') return writeHandoff(server);
    if (command.do === 'register artefacts') return registerArtefacts(server);
    const request = requestOf(command);
    if (way === 'at both servers at once' && isSameInAnyOrder(request.model)) return sendToBoth(request);
    const isForCurrent = namesCurrentPosition(request.model);
    const isLost = way.startsWith('answer lost');
    const got = await servers.send(server, request, isLost);
    compare(got, answerOf(model, request.model, !isLost));
    if (way === 'answer lost, server gone') servers.restart(server);
    if (way !== 'twice') return;
    const again = await servers.send(server, request);
    compare(again, answerOf(model, request.model, true));
    if (isForCurrent) expect(again).toEqual(got);
  }

  /** If the action was not requested yet, the first of two requests triggers it, and the second proceeds. */
  function namesCurrentPosition(request: ModelRequest): boolean {
    const { run } = model;
    if (run?.status !== 'running' || !('token' in request) || request.token !== run.visit) return false;
    return answerOf(model, STATUS_REQUEST.model, false).kind === 'status';
  }

  /** Whether the answers to a request that is sent twice at once are those to one after another. */
  function isSameInAnyOrder(request: ModelRequest): boolean {
    if ('token' in request) return namesCurrentPosition(request);
    // Both may ask, because that it was asked is stored behind the answer; and both may have started the same new run.
    if (request.tool === 'start' && request.restart) return false;
    // That the agent has heard is stored behind the answer, too.
    if (model.run?.asked && !model.run.heard) return false;
    const trial = structuredClone(model);
    return [1, 2].every(() => answerOf(trial, request, true).kind !== 'action');
  }

  async function sendToBoth(request: ModelledRequest): Promise<void> {
    const [first, second] = await servers.sendToBoth(request);
    const expected = answerOf(model, request.model, true);
    const repeated = answerOf(model, request.model, true);
    const isInOrder = 'error' in first === (expected.kind === 'error');
    compare(isInOrder ? first : second, expected);
    compare(isInOrder ? second : first, repeated);
    if ('token' in request.model) expect(second).toEqual(first);
  }

  function compare(got: ServerAnswer, expected: ModelAnswer): void {
    if (expected.kind === 'error' || model.run === undefined) expectError(got);
    else if ('error' in got) throw got.error;
    else if (expected.kind === 'action') {
      const message = `Please run \`${expected.command}\` first, then call workflow_status again.`;
      expect(got.answer).toEqual({ contextAction: expected.command, message, position: expect.any(String) });
      tokens.learn(got.answer);
    } else {
      expectStatus(got.answer, template, model.run);
      if (expected.isStale) expect(got.answer.notices).toEqual(expect.arrayContaining([expect.any(String)]));
      tokens.learn(got.answer);
    }
  }

  function expectError(got: ServerAnswer): void {
    if (!('error' in got)) throw new Error(`an error was expected, not ${JSON.stringify(got.answer)}`);
    const message = model.run === undefined ? NOT_STARTED : expect.any(String);
    expect(got.error).toMatchObject({ code: expect.any(String), message });
  }

  async function compareOutputs(server: 0 | 1): Promise<void> {
    const got = await servers.send(server, { name: 'workflow_context', input: { budget: 100_000 } });
    if (model.run === undefined) return expectError(got);
    if ('error' in got) throw got.error;
    const { outputs } = got.answer as { readonly outputs?: unknown };
    expect(outputs).toEqual(Object.fromEntries(model.run.outputs));
  }

  async function writeHandoff(server: 0 | 1): Promise<void> {
    const got = await servers.send(server, { name: 'handoff_write', input: { text: 'Go on.' } });
    expect(got).toEqual({ answer: { stored: true, characters: 6 } });
  }

  async function registerArtefacts(server: 0 | 1): Promise<void> {
    const got = await servers.send(server, {
      name: 'workflow_register_artefacts',
      input: { paths: ['workflow.yaml'] },
    });
    if (model.run === undefined) return expectError(got);
    const artefacts = [expect.stringContaining('workflow.yaml')];
    expect(got).toEqual({ answer: { registered: artefacts, artefacts, total: 1 } });
  }

  /** As a new server sees it, once all others have written their state. */
  async function compareWhatIsLeft(stateFile: string): Promise<void> {
    await servers.flush();
    servers.restart(0);
    compare(await servers.send(0, STATUS_REQUEST), answerOf(model, STATUS_REQUEST.model, true));
    await compareOutputs(0);
    await servers.flush();
    if (model.run !== undefined) expectTasks(stateFile, template, model.run);
  }

  return { carryOut, compareWhatIsLeft };
}
