import type { Output } from '@devs/api';
import { MACHINES_STREAM } from '@devs/core/folds';
import { Link } from 'wouter';
import { useMoment, usePage, usePageState } from '../../parts/page-context.js';
import { useAsked } from '../../parts/use-asked.js';
import { baseName } from '../../words/numbers.js';
import { span } from '../../words/time.js';

/** A machine that is not heard of any more is seen within this time. */
const LOOK_MS = 10_000;

/** Who serves the queue of a shared store; nothing where no machine ever did. */
export function Machines() {
  const { store } = usePage();
  const { projects, past } = usePageState();
  if (past !== undefined) return null; // who was there then is not stored
  const shared = projects.filter(({ root }) =>
    store.logOf(root)?.fold.events.some(({ stream }) => stream === MACHINES_STREAM),
  );
  return shared.map(({ root }) => <MachinesOf key={root} root={root} />);
}

function MachinesOf({ root }: { readonly root: string }) {
  const now = useMoment();
  const asked = useAsked('machines.list', { project: root }, Math.floor(now / LOOK_MS));
  if (asked.kind !== 'known' || asked.value.machines.length === 0) return null;
  const { machines, unmet } = asked.value;
  return (
    <section aria-label={`Machines of ${baseName(root)}`}>
      <h2>Machines of {baseName(root)}</h2>
      <table className="log">
        <thead>
          <tr>
            <th>Machine</th>
            <th>State</th>
            <th>Slots</th>
            <th>Has</th>
            <th>Works on</th>
          </tr>
        </thead>
        <tbody>
          {machines.map((machine) => (
            <MachineRow key={machine.name} machine={machine} now={now} />
          ))}
        </tbody>
      </table>
      {unmet.map(({ task, needs }) => (
        <p key={task} className="note">
          {task} waits: no machine here has {needs.join(' and ')}.
        </p>
      ))}
    </section>
  );
}

interface MachineRowProps {
  readonly machine: Output<'machines.list'>['machines'][number];
  readonly now: number;
}

const MachineRow = ({ machine: { name, state, slots, agents, labels, heardAt, runs }, now }: MachineRowProps) => (
  <tr>
    <td>{name}</td>
    <td>
      <span className="badge" data-tone={TONES[state]}>
        {state}
      </span>{' '}
      {heardAt === undefined ? null : <small className="quiet">heard of {span(Math.max(0, now - heardAt))} ago</small>}
    </td>
    <td className="number">
      {runs.length} of {slots}
    </td>
    <td>{[...agents, ...labels].join(', ')}</td>
    <td>
      {runs.map(({ id, task }, index) => (
        <span key={id}>
          {index === 0 ? null : ', '}
          <Link href={`/runs/${encodeURIComponent(id)}`}>{task ?? id}</Link>
        </span>
      ))}
    </td>
  </tr>
);

const TONES = { serving: 'good', lost: 'bad', left: 'dim' } as const;
