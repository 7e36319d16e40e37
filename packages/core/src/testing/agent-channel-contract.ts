import { deepEqual, equal } from 'node:assert/strict';
import type { AgentChannel } from '../ports/agent-channel.js';
import type { AgentEvent } from '../ports/agent-driver.js';
import { until } from './until.js';

/** One agent that is idle, with its channel, and how its model is brought to do something. */
export interface ChannelWorld {
  readonly channel: AgentChannel;
  /** Of the agent's watch, all since it began. */
  readonly events: readonly AgentEvent[];
  /** Prompts that this agent's model answers in the way that is asked for. */
  readonly prompts: {
    readonly answer: string;
    /** Works until it is interrupted. */
    readonly endless: string;
    /** Asks for a permission, and does what it asked for only then. */
    readonly asks: string;
  };
  /** How often it did what it asked for. */
  done(): number;
  /** All prompts that reached the model of the agent. */
  heard(): readonly string[];
}

type Told<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

const told = <Type extends AgentEvent['type']>({ events }: ChannelWorld, type: Type): readonly Told<Type>[] =>
  events.filter((event): event is Told<Type> => event.type === type);

const untilTold = async <Type extends AgentEvent['type']>(world: ChannelWorld, type: Type, count = 1) => {
  await until(
    () => told(world, type).length >= count,
    () => `${type} ${count} times in ${JSON.stringify(world.events).slice(-2_000)}`,
  );
  return told(world, type)[count - 1] as Told<Type>;
};

const asked = async (world: ChannelWorld) => {
  equal(await world.channel.prompt(world.prompts.asks, 'p-1'), 'handed');
  const permission = await untilTold(world, 'permission.asked');
  const choose = (kind: string) => permission.choices.find((choice) => choice.kind === kind)?.id ?? '';
  return { permission, choose };
};

/** What every channel to an agent must do, by what the agent itself records. */
export const agentChannelContract: Readonly<Record<string, (world: ChannelWorld) => Promise<void>>> = {
  async 'a prompt is recorded under the id that it was given, and its turn ends'(world) {
    equal(await world.channel.prompt(world.prompts.answer, 'p-1'), 'handed');
    equal((await untilTold(world, 'prompt.accepted')).promptId, 'p-1');
    await untilTold(world, 'turn.ended');
    deepEqual(told(world, 'turn.interrupted'), []);
  },

  async 'a prompt of many lines and signs arrives as it is'(world) {
    const text = `${world.prompts.answer}\n\u001b[31m"Grüße" 日本語\\ \u0007\u001b\\ ${'x'.repeat(20_000)}`;
    await world.channel.prompt(text, 'p-1');
    await untilTold(world, 'turn.ended');
    equal(world.heard().at(-1)?.endsWith(text), true);
  },

  async 'an interrupt ends the turn, and the next prompt is taken'(world) {
    await world.channel.prompt(world.prompts.endless, 'p-1');
    await untilTold(world, 'prompt.accepted');
    equal(await world.channel.interrupt(), 'handed');
    await untilTold(world, 'turn.interrupted');
    await world.channel.prompt(world.prompts.answer, 'p-2');
    equal((await untilTold(world, 'prompt.accepted', 2)).promptId, 'p-2');
    // The first may have been interrupted before it reached the model, and two turns that end between two looks are told as one end.
    await until(() => world.heard().at(-1)?.endsWith(world.prompts.answer) === true);
  },

  async 'an interrupt of an agent that does nothing is harmless'(world) {
    equal(await world.channel.interrupt(), 'handed');
    await world.channel.prompt(world.prompts.answer, 'p-1');
    await untilTold(world, 'turn.ended');
    deepEqual(told(world, 'turn.interrupted'), []);
  },

  async 'a permission that is allowed is settled by its choice, and done once'(world) {
    const { permission, choose } = await asked(world);
    equal(world.done(), 0);
    await world.channel.answer(permission.requestId, choose('allow-once'));
    const { requestId, by, choice } = await untilTold(world, 'permission.settled');
    deepEqual([requestId, by, choice], [permission.requestId, 'channel', choose('allow-once')]);
    await untilTold(world, 'turn.ended');
    equal(world.done(), 1);
  },

  async 'a permission that is refused is not done, and the words of the refusal reach the model'(world) {
    const { permission, choose } = await asked(world);
    await world.channel.answer(permission.requestId, choose('deny-once'), 'Leave that alone');
    await untilTold(world, 'permission.settled');
    await until(() => world.heard().some((text) => text.includes('Leave that alone')));
    equal(world.done(), 0);
  },

  async 'an answer to something else settles nothing'(world) {
    const { permission, choose } = await asked(world);
    await world.channel.answer('another', choose('allow-once'));
    await world.channel.answer(permission.requestId, 'no such choice');
    await world.channel.interrupt();
    equal((await untilTold(world, 'permission.settled')).by, 'turn');
    await untilTold(world, 'turn.interrupted');
    equal(world.done(), 0);
  },

  async 'clear begins another conversation'(world) {
    await world.channel.prompt(world.prompts.answer, 'p-1');
    await untilTold(world, 'turn.ended');
    equal(await world.channel.clear(), 'handed');
    await until(() => told(world, 'conversation.changed').some(({ before }) => before !== undefined));
  },

  async 'compact is seen in the records, or is not offered'(world) {
    await world.channel.prompt(world.prompts.answer, 'p-1');
    await untilTold(world, 'turn.ended');
    if ((await world.channel.compact()) === 'unsupported') return;
    await untilTold(world, 'compaction.seen');
  },
};
