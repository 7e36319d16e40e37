import { visible } from '../screen/visible.js';
import { describeSpan } from '../time/describe-time.js';
import { count } from '../words.js';
import type { Fleet, ListedMachine } from './read-machines.js';

const MOST_UNMET = 10;

/** The machines of a fleet for people, a line each. Pure. */
export function renderMachines({ machines, unmet }: Fleet, now: number): readonly string[] {
  if (machines.length === 0) return ['No machine serves the queue. Start one: devs worker'];
  const width = Math.max(...machines.map(({ name }) => name.length));
  return [
    ...machines.map((machine) => visible(`${machine.name.padEnd(width)}  ${describeMachine(machine, now)}`)),
    ...unmet
      .slice(0, MOST_UNMET)
      .map(({ task, needs }) => visible(`${task} waits: no machine here has ${needs.join(' and ')}.`)),
    ...(unmet.length > MOST_UNMET ? [`${unmet.length - MOST_UNMET} more wait for machines with other labels.`] : []),
  ];
}

function describeMachine(machine: ListedMachine, now: number): string {
  const { state, slots, labels, agents, joinedAt, leftAt, heardAt, runs } = machine;
  const has = [...agents, ...labels].join(', ');
  const since = (at: number) => describeSpan(Math.max(0, now - at));
  const when =
    state === 'serving'
      ? `serves since ${since(joinedAt)}${heardAt === undefined ? '' : `, heard of ${since(heardAt)} ago`}`
      : state === 'left'
        ? `left ${since(leftAt ?? joinedAt)} ago`
        : `lost: last heard of ${since(heardAt ?? joinedAt)} ago`;
  const work = runs.map(({ id, task }) => (task === undefined ? id : `${task} (${id})`)).join(', ');
  return `${count(slots, 'slot')}  ${has}  ${when}${work === '' ? '' : `; has ${work}`}`;
}
