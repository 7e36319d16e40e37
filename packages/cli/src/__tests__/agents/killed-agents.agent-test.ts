import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, rounds, seed, until } from '@devs/core/testing';
import { type ModelServer, parseScenario, startModelServer } from '@devs/scripted-model';
import { describe, expect, it } from 'vitest';
import type { FrontDoor } from '../../terminal/__tests__/front-door.js';
import { AGENT_HOMES, type AgentHome } from './agent-homes.js';
import { addWorkflow, beginProject, reportOf } from './first-hour.js';

const MAKE = `sleep 1; touch made.txt && git add made.txt && git -c user.name=a -c user.email=a@b commit -qm Made; echo '[made]'`;

/** About four seconds of work, in which any moment is as good as another to be killed. */
const SCENARIO = `name: slow-step
rules:
  - when: { system: Task Routing AI }
    reply: '{"complexity_reasoning":"scripted","complexity_score":80}'
  - when: { toolResult: { contains: The workflow is complete } }
    reply: Done.
  - when: { toolResult: { contains: Make the file made.txt } }
    reply:
      - delay: 1s
      - run: ${JSON.stringify(MAKE)}
  - when: { toolResult: { contains: "[made]" } }
    reply:
      - delay: 1s
      - tool: { name: mcp__devs__workflow_advance, input: { output: made.txt is there } }
  - when: { toolResult: {} }
    reply:
      - delay: 3s
      - tool: { name: mcp__devs__workflow_status, input: {} }
  # Codex begins before its servers have started, and a script cannot look whether they have.
  - when: { api: openai-responses }
    reply:
      - delay: 6s
      - tool: { name: mcp__devs__workflow_status, input: {} }
  - when: { offers: Bash }
    reply: &look
      - delay: 1s
      - tool: { name: mcp__devs__workflow_status, input: {} }
  - when: { offers: bash }
    reply: *look
  - when: { offers: run_shell_command }
    reply: *look
default: Done.
`;

/** Longest pause after a request at the model, before the kill. */
const MAX_WAIT_MS = 1_500;
const VICTIMS = { supervisor: /devs\.mjs --supervise/, host: /\/host\/main\.js/ };

/** Processes of this user, by the home in their environment. */
const processesOf = ({ home }: FrontDoor): readonly { readonly pid: number; readonly line: string }[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const environment = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/environ`, 'utf8') : '';
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return environment.includes(`HOME=${home}\0`) ? [{ pid: Number(name), line }] : [];
    } catch {
      return []; // it has ended
    }
  });

const commits = ({ project }: FrontDoor): number =>
  execFileSync('git', ['log', '--all', '--format=%s'], { cwd: project, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line === 'Made').length;

async function beginRun(agent: string, home: AgentHome): Promise<{ door: FrontDoor; model: ModelServer }> {
  const model = await startModelServer({ scenario: parseScenario(SCENARIO) });
  const door = home.openDoor(model);
  beginProject(door);
  await door.run('init');
  addWorkflow(door);
  await door.run('config', '--trust');
  await door.run('config', '--trust-folder');
  const begun = await door.run('run', '--detach', ...(home.flags ?? []), 'one-step', 'Make it', '--agent', agent);
  expect(begun.exitCode, begun.stderr).toBe(0);
  return { door, model };
}

/** Kills it when the model was asked so often, or run finished: then there is nothing to kill. */
async function killAt(door: FrontDoor, model: ModelServer, isVictim: RegExp, moment: { asked: number; ms: number }) {
  const turns = () => model.requests().filter(({ purpose }) => purpose === 'turn').length;
  await until(() => turns() >= moment.asked);
  await pause(moment.ms);
  const victims = processesOf(door).filter(({ line }) => isVictim.test(line));
  for (const { pid } of victims) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // A launcher ends with its program.
    }
  }
  return victims.length;
}

/** One run to its end, with one kill. Returns how many processes were killed. */
async function surviveKill(
  agent: string,
  home: AgentHome,
  isVictim: RegExp,
  moment: { readonly asked: number; readonly ms: number },
): Promise<number> {
  const { door, model } = await beginRun(agent, home);
  try {
    const killed = await killAt(door, model, isVictim, moment);
    await until(
      async () => (await reportOf(door))?.endedAt !== undefined,
      async () => `${killed} killed\n${(await door.run('log')).stdout}\n${(await door.run('status')).stdout}`,
    );
    expect(await reportOf(door)).toMatchObject({ outcome: { kind: 'done' }, escalations: [] });
    expect(commits(door)).toBe(1);
    return killed;
  } finally {
    await door.run('down');
    await model.close();
  }
}

describe.each(Object.entries<AgentHome>(AGENT_HOMES))('a run with a real %s', (agent, home) => {
  const victims = Object.entries({ agent: home.isAgent, ...VICTIMS });

  it.skipIf(home.program === '').each(victims)(
    'is done once though its %s is killed at any moment',
    async (name, isVictim) => {
      const random = createRandom(seed());
      const failed: string[] = [];
      const count = rounds(1, 20);
      for (let round = 0; round < count; round++) {
        const moment = { asked: 1 + random.below(3), ms: random.below(MAX_WAIT_MS) };
        const killed = await surviveKill(agent, home, isVictim, moment).catch((error: unknown) => {
          failed.push(`round ${round}, ${JSON.stringify(moment)}: ${String(error)}`);
          return 0;
        });
        process.stdout.write(`${agent}, ${name}, round ${round}: ${killed} killed, ${failed.length} failed so far\n`);
      }
      expect(failed).toEqual([]);
    },
    3_600_000,
  );
});
