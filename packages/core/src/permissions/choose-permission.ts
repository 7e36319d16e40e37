import type { PermissionChoice, PermissionChoiceKind } from '../ports/agent-channel.js';

export interface ChosenPermission {
  readonly choice: PermissionChoice;
  /** What the agent is told besides. */
  readonly words?: string;
}

/** What people say for it. */
const WORDS: Readonly<Record<string, readonly PermissionChoiceKind[]>> = {
  yes: ['allow-once', 'allow-always'],
  y: ['allow-once', 'allow-always'],
  allow: ['allow-once', 'allow-always'],
  always: ['allow-always'],
  no: ['deny-once', 'deny-always'],
  n: ['deny-once', 'deny-always'],
  deny: ['deny-once', 'deny-always'],
  never: ['deny-always'],
};

/**
 * Which choice of a permission the user means: by its number, by its name, or by a word such as yes and no. Any other words refuse it,
 * and are told to the agent. `undefined` where there is no such choice. Pure.
 */
export function choosePermission(answer: string, choices: readonly PermissionChoice[]): ChosenPermission | undefined {
  const said = answer.trim();
  if (/^\d+$/.test(said)) return asChosen(choices[Number(said) - 1]);
  const named = choices.find(({ name, id }) => [name, id].some((one) => one.toLowerCase() === said.toLowerCase()));
  if (named !== undefined) return { choice: named };
  const kinds = WORDS[said.toLowerCase().replace(/[.!]+$/, '')];
  if (kinds !== undefined) return asChosen(ofKind(kinds, choices));
  return refusePermission(said, choices);
}

/** A refusal with words for the agent; `undefined` where it cannot be refused. */
export function refusePermission(words: string, choices: readonly PermissionChoice[]): ChosenPermission | undefined {
  const refusal = asChosen(ofKind(['deny-once', 'deny-always'], choices));
  return refusal === undefined ? undefined : { ...refusal, words };
}

const ofKind = (kinds: readonly PermissionChoiceKind[], choices: readonly PermissionChoice[]) =>
  kinds.map((wanted) => choices.find(({ kind }) => kind === wanted)).find((choice) => choice !== undefined);

const asChosen = (choice: PermissionChoice | undefined): ChosenPermission | undefined =>
  choice === undefined ? undefined : { choice };
