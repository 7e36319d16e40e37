import type { Output } from '@devs/api';
import { Link } from 'wouter';
import type { RunCard } from '../../fold/run-cards.js';
import { renewWords } from '../../parts/outcome-words.js';
import { usePage, usePageState } from '../../parts/page-context.js';
import { useAction } from '../../parts/use-action.js';
import type { RunProps } from './run-page.js';

/** What can be done with a run as it is now. */
export function RunActions({ run, project, card }: RunProps & { readonly card: RunCard | undefined }) {
  const { store, session } = usePage();
  const { past, terminals } = usePageState();
  const action = useAction();
  const terminal = card?.terminal;
  const isThere = terminals.some(({ name }) => name === terminal);
  const open =
    terminal === undefined ? null : (
      <Link className="button" href={`/terminals/${encodeURIComponent(terminal)}`}>
        {isThere ? 'Terminal' : 'Conversation'}
      </Link>
    );
  if (card === undefined || past !== undefined || session.scope() === 'viewer')
    return <p className="choices">{open}</p>;
  const ofRun = { run: run.id, project: project.root };
  const { client } = store;
  const stop = () =>
    action.run(async () => {
      await client.call('runs.stop', { run: run.id });
      return 'Stopped. Resume continues where it is.';
    });
  const resume = () => action.run(async () => started(await client.call('runs.resume', ofRun)));
  const merge = () => action.run(async () => merged(await client.call('runs.merge', ofRun)));
  const renew = () =>
    action.run(async () => renewWords(await client.call('terminals.renew', { terminal: terminal ?? '' })));
  const isAtWork = card.state === 'running' || card.state === 'needs you';
  const isOver = card.state === 'done' || card.state === 'failed' || card.state === 'given-up';
  const canMerge = card.state === 'done' && card.merged === undefined && run.facts.commits.length > 0;
  return (
    <p className="choices">
      {open}
      {isThere && isAtWork ? (
        <button type="button" disabled={action.isBusy} onClick={() => void renew()}>
          Renew
        </button>
      ) : null}
      {isAtWork ? (
        <button type="button" className="danger" disabled={action.isBusy} onClick={() => void stop()}>
          Stop
        </button>
      ) : null}
      {!isAtWork && !isOver ? (
        <button type="button" className="primary" disabled={action.isBusy} onClick={() => void resume()}>
          Resume
        </button>
      ) : null}
      {canMerge ? (
        <button type="button" className="primary" disabled={action.isBusy} onClick={() => void merge()}>
          Merge
        </button>
      ) : null}
    </p>
  );
}

function started(outcome: Output<'runs.resume'>): string {
  if (outcome.status === 'started') return 'The run continues.';
  if (outcome.status === 'refused') throw new Error(`${outcome.reason}. ${outcome.advice}`);
  throw new Error(`Not continued: ${outcome.status}.`);
}

function merged(outcome: Output<'runs.merge'>): string {
  if (outcome.outcome === 'merged') return `Merged into ${outcome.into}.`;
  if (outcome.outcome === 'nothing-to-merge') return 'There is nothing to merge.';
  throw new Error(outcome.outcome === 'refused' ? `${outcome.reason}. ${outcome.advice}` : outcome.message);
}
