import { expect } from 'vitest';
import type { StatusAnswer } from '../status-answer.js';
import type { TokenChoice } from './random-workflow.js';
import type { ModelToken, WorkflowModel } from './workflow-model.js';

export interface ChosenToken {
  /** The argument that the agent passes. */
  readonly position: { readonly position?: string };
  /** What that means to the model. */
  readonly token: ModelToken;
}

const NO_TOKEN: ChosenToken = { position: {}, token: undefined };

/** The tokens that the agent has seen, each with its entry of a position. */
export function createSeenTokens(model: WorkflowModel) {
  let run = model.run;
  let seen = new Map<number, string>();
  const former: string[] = [];

  /** Tokens of an ended run are invalid. */
  function noticeNewRun(): void {
    if (run === model.run) return;
    run = model.run;
    former.push(...seen.values());
    seen = new Map();
  }

  /** The same entry has the same token, and no other has it. */
  function learn({ position }: StatusAnswer): void {
    noticeNewRun();
    if (run?.status !== 'running') return;
    expect(position).toEqual(expect.any(String));
    const known = seen.get(run.visit);
    if (known === undefined) expect([...seen.values(), ...former]).not.toContain(position);
    else expect(position).toBe(known);
    seen.set(run.visit, position as string);
  }

  /** Without a token where the agent has none of that kind. */
  function choose(choice: TokenChoice, which: number): ChosenToken {
    noticeNewRun();
    const current = run?.visit;
    switch (choice) {
      case 'none':
        return NO_TOKEN;
      case 'current':
        return of(current);
      case 'previous':
        return of(before().at(-1));
      case 'old':
        return of(before()[which % before().length]);
      case 'nonsense':
        return chosen(['', 'nonsense', '0', 'run:1'][which % 4], 'never');
      case 'stretched': {
        const text = current === undefined ? undefined : seen.get(current);
        return chosen(text && `${text}${['0', '.0', ' ', 'e0'][which % 4]}`, 'never');
      }
      case 'former run':
        return chosen(former[which % former.length], 'never');
    }
  }

  const before = () => [...seen.keys()].filter((visit) => visit !== run?.visit);

  const of = (visit: number | undefined) => chosen(visit === undefined ? undefined : seen.get(visit), visit);

  return { learn, choose };
}

const chosen = (text: string | undefined, token: ModelToken): ChosenToken =>
  text === undefined ? NO_TOKEN : { position: { position: text }, token };
