import { describe, expect, it } from 'vitest';
import type { StatusAnswer } from '../status-answer.js';
import { createAgent, EVERY_FEATURE, FIRST, type Request } from './every-feature.js';
import { createFakeSupervisor } from './fake-supervisor.js';
import { createLife, Killed } from './mortal.js';
import { createToolWorld } from './tool-world.js';

const FOR_EVER = Number.POSITIVE_INFINITY;

/** The whole workflow with a server that dies at one point; a client whose request was not answered sends it again. */
async function runThrough({ diesAt, supervised = false }: { readonly diesAt: number; readonly supervised?: boolean }) {
  const world = createToolWorld(EVERY_FEATURE);
  const supervisor = supervised ? createFakeSupervisor(world.open()) : undefined;
  const firstLife = createLife(diesAt);
  let life = firstLife;
  let server = world.startServer({ store: world.open(life.mortal), deliver: life.deliver });
  const answers: { readonly request: Request; readonly answer: StatusAnswer }[] = [];
  const nextRequest = createAgent();
  let deaths = 0;
  await supervisor?.begin(() => world.startServer()('workflow_start', FIRST.input));

  for (let request: Request | undefined = FIRST; request !== undefined; ) {
    const answer = await server(request.name, request.input).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      deaths++;
      const delivered = life.takeDelivered();
      life = createLife(FOR_EVER);
      server = world.startServer({ store: world.open(life.mortal), deliver: life.deliver });
      return delivered;
    });
    if (answer === undefined) continue;
    life.takeDelivered();
    answers.push({ request, answer });
    if (answer.performedBy === 'supervisor') await supervisor?.endOfTurn();
    request = nextRequest(answer);
  }
  return {
    answers,
    deaths,
    points: firstLife.points,
    history: await world.history(),
    performed: supervisor?.performed ?? [],
  };
}

const steps = (history: readonly string[]) =>
  history.filter((event) => /^(step|tasks|workflow|artefacts)\./.test(event));

/** That the agent has heard is stored behind an answer, and is lost with a server that dies there. */
const isNotAboutHearing = (event: string) => !event.startsWith('context-action.heard');

/** How often the agent was asked for a context action before each status. */
function asksBeforeEachStatus(answers: readonly { readonly answer: StatusAnswer }[]): readonly number[] {
  const counts: number[] = [];
  let asks = 0;
  for (const { answer } of answers) {
    if (answer.contextAction !== undefined) asks++;
    else {
      counts.push(asks);
      asks = 0;
    }
  }
  return counts;
}

describe('a server that is killed before or after any of its effects', () => {
  it('[W3] [W10] skips no step and repeats none after a crash at any point', async () => {
    const whole = await runThrough({ diesAt: FOR_EVER });
    expect(whole.points).toBeGreaterThan(60);
    for (let diesAt = 0; diesAt < whole.points; diesAt++) {
      const { history, deaths } = await runThrough({ diesAt });
      expect(deaths, `point ${diesAt}`).toBe(1);
      expect(steps(history), `point ${diesAt}`).toEqual(steps(whole.history));
    }
  });

  it('[W1] asks for a context action at least once at each position, and never again after the next call', async () => {
    const whole = await runThrough({ diesAt: FOR_EVER });
    const expected = asksBeforeEachStatus(whole.answers);
    expect(expected).toContain(1);
    for (let diesAt = 0; diesAt < whole.points; diesAt++) {
      const asked = asksBeforeEachStatus((await runThrough({ diesAt })).answers);
      expect(asked.length, `point ${diesAt}`).toBe(expected.length);
      for (const [index, count] of asked.entries()) {
        expect(count, `point ${diesAt}, status ${index}`).toBeGreaterThanOrEqual(expected[index] ?? 0);
        expect(count, `point ${diesAt}, status ${index}`).toBeLessThanOrEqual((expected[index] ?? 0) * 2);
      }
    }
  });

  it('[W2] under a supervisor has each context action performed exactly once', async () => {
    const whole = await runThrough({ diesAt: FOR_EVER, supervised: true });
    expect(whole.performed.length).toBeGreaterThan(5);
    // The supervisor came when the first position had been reached without it.
    expect(whole.history.filter((event) => event.startsWith('context-action.asked'))).toEqual([
      'context-action.asked 1',
    ]);
    for (let diesAt = 0; diesAt < whole.points; diesAt++) {
      const { history, performed } = await runThrough({ diesAt, supervised: true });
      expect(performed, `point ${diesAt}`).toEqual(whole.performed);
      expect(history.filter(isNotAboutHearing), `point ${diesAt}`).toEqual(whole.history.filter(isNotAboutHearing));
    }
  });
});
