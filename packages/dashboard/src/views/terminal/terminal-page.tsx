import type { Terminal } from '@devs/api';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { projectAround } from '../../fold/marks.js';
import { Gauge } from '../../parts/gauge.js';
import { interruptWords, renewWords } from '../../parts/outcome-words.js';
import { usePage, usePageState } from '../../parts/page-context.js';
import { Printed } from '../../parts/printed.js';
import { showEnd } from '../../parts/show-end.js';
import { Tabs } from '../../parts/tabs.js';
import { useAction } from '../../parts/use-action.js';
import { Composer } from './composer.js';
import { History } from './history.js';
import { useScreens } from './use-screens.js';

const Conversation = lazy(() => import('./conversation.js'));
const LiveTerminal = lazy(() => import('./live-terminal.js'));

const TABS = { conversation: 'Conversation', live: 'Terminal', text: 'Text', history: 'History' } as const;

/** One terminal: as text, live, and its history; with a composer and keys. */
export default function TerminalPage({ name }: { readonly name: string }) {
  const { session } = usePage();
  const { terminals, projects, marks, past } = usePageState();
  const terminal = terminals.find((one) => one.name === name);
  const isThere = terminal !== undefined;
  const isNarrow = window.innerWidth < 760;
  const [chosen, setTab] = useState<keyof typeof TABS>();
  // Only its conversations are left of a terminal that ended.
  const tab = isThere ? (chosen ?? (isNarrow ? 'conversation' : 'live')) : 'conversation';
  const project = projects.find(({ terminals: known }) => known.has(name));
  const mayType = session.scope() === 'owner' && past === undefined;
  const request = terminal?.run === undefined ? undefined : project?.runs.get(terminal.run)?.facts.plan?.request;
  return (
    <>
      <p className="crumbs">
        <Link href="/">Overview</Link> /{' '}
        {terminal?.run === undefined ? 'terminals' : <Link href={`/runs/${terminal.run}`}>{terminal.run}</Link>} /{' '}
        {terminal?.run === name ? 'terminal' : name}
      </p>
      <div className="run-head">
        <h1>{request ?? name}</h1>
        {mayType && isThere ? <TerminalActions name={name} /> : null}
      </div>
      {terminal === undefined ? (
        <p className="note">It does not run now. Its conversations are kept.</p>
      ) : (
        <div className="facts">
          <span className="badge" data-tone={TONES[terminal.activity]}>
            {terminal.activity}
          </span>
          <span>{terminal.agent}</span>
          <Detail terminal={terminal} />
          <span className="grow">
            <Gauge
              usage={terminal.usage}
              marks={marks.get(projectAround(projects, terminal.folder)?.root ?? '')}
              agent={terminal.agent}
            />
          </span>
        </div>
      )}
      {isThere ? <Tabs tabs={TABS} chosen={tab} onChoose={setTab} label="How to look at it" /> : null}
      <div role="tabpanel" aria-label={TABS[tab]} className="panel">
        {tab === 'conversation' ? (
          <Suspense fallback={<p className="quiet">Loading the conversation …</p>}>
            <Conversation name={name} project={project} isBusy={terminal?.activity === 'busy'} />
          </Suspense>
        ) : null}
        {tab === 'text' ? <TextScreen name={name} /> : null}
        {tab === 'live' ? (
          <Suspense fallback={<p className="quiet">Loading the terminal …</p>}>
            <LiveTerminal name={name} mayType={mayType && !isNarrow} />
          </Suspense>
        ) : null}
        {tab === 'history' ? <History name={name} /> : null}
      </div>
      {mayType && isThere ? (
        <Composer name={name} run={terminal.run} events={project?.terminals.get(name) ?? []} />
      ) : null}
    </>
  );
}

/** What the badge says already is not said again. */
function Detail({ terminal: { activity, waits, detail } }: { readonly terminal: Terminal }) {
  const words = waits ?? detail;
  return words === undefined || words.endsWith(activity) ? null : <span className="quiet">{words}</span>;
}

function TextScreen({ name }: { readonly name: string }) {
  const place = useRef<HTMLPreElement>(null);
  const rows = useScreens([name]).get(name) ?? [];
  const text = rows
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the prompt of an agent is at the end of each new screen
  useEffect(() => showEnd(place.current), [text]);
  return (
    <Printed label="Screen" ref={place} className="rows screen">
      {text === '' ? 'Nothing is shown yet.' : text}
    </Printed>
  );
}

const TONES = { starting: 'busy', busy: 'busy', idle: 'good', waiting: 'call', exited: 'dim' } as const;

function TerminalActions({ name }: { readonly name: string }) {
  const { store } = usePage();
  const action = useAction();
  const { client } = store;
  const renew = () => action.run(async () => renewWords(await client.call('terminals.renew', { terminal: name })));
  const interrupt = () =>
    action.run(async () => interruptWords(await client.call('terminals.interrupt', { terminal: name })));
  const undo = () =>
    action.run(async () => {
      const outcome = await client.call('terminals.undo', { terminal: name });
      if (outcome.status === 'undone') return 'Back in the conversation before the last renewal.';
      throw new Error(outcome.status === 'refused' ? outcome.reason : outcome.error);
    });
  return (
    <p className="choices">
      <button type="button" disabled={action.isBusy} onClick={() => void interrupt()}>
        Interrupt
      </button>
      <button type="button" disabled={action.isBusy} onClick={() => void renew()}>
        Renew
      </button>
      <button type="button" disabled={action.isBusy} onClick={() => void undo()}>
        Undo renewal
      </button>
    </p>
  );
}
