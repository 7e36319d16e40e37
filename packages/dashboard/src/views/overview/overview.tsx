import { Link } from 'wouter';
import { inboxItems, needsUser } from '../../fold/inbox.js';
import { type RunCard, runCards } from '../../fold/run-cards.js';
import { useMoment, usePageState } from '../../parts/page-context.js';
import { InboxCard } from '../inbox/inbox-card.js';
import { Machines } from './machines.js';
import { RunCardView } from './run-card-view.js';
import { TerminalRows } from './terminal-rows.js';

const MAX_FINISHED = 12;
/** More would hide the runs. */
const MAX_WAITING = 4;

/** What needs the user first, then every run and agent. */
export function Overview() {
  const { projects, problems, runs, terminals, past, hearing } = usePageState();
  const now = useMoment();
  const cards = runCards(projects, { runs, terminals, isPast: past !== undefined });
  const waiting = needsUser(inboxItems(projects, terminals));
  const open = cards.filter(isOpen);
  const over = cards.filter((card) => !isOpen(card));
  const own = terminals.filter(({ run }) => run === undefined);
  return (
    <>
      <div className="head">
        <h1>Overview</h1>
        <p className="quiet">{summaryOf(cards)}</p>
      </div>
      {problems.map(({ root, problem }) => (
        <p key={root} className="note" data-tone="bad">
          {root}: {problem}
        </p>
      ))}
      {waiting.length === 0 ? null : (
        <section aria-labelledby="needs-you">
          <h2 id="needs-you">Needs you</h2>
          <div className="questions">
            {waiting.slice(0, MAX_WAITING).map((item) => (
              <InboxCard key={item.id} item={item} now={now} />
            ))}
          </div>
          {waiting.length > MAX_WAITING ? (
            <p>
              <Link href="/inbox">{waiting.length - MAX_WAITING} more in the inbox</Link>
            </p>
          ) : null}
        </section>
      )}
      <Machines />
      {open.length === 0 ? null : <Cards id="at-work" title="Open runs" cards={open} now={now} />}
      {own.length === 0 ? null : (
        <section aria-labelledby="own-terminals">
          <h2 id="own-terminals">Terminals of yours</h2>
          <TerminalRows terminals={own} />
        </section>
      )}
      {over.length === 0 ? null : (
        <Cards id="over" title="Finished" cards={over.slice(0, MAX_FINISHED)} now={now}>
          {over.length > MAX_FINISHED ? (
            <p className="quiet">
              {over.length - MAX_FINISHED} more in <Link href="/cost">Cost</Link>.
            </p>
          ) : null}
        </Cards>
      )}
      {cards.length === 0 && hearing.isCaughtUp ? <Nothing /> : null}
    </>
  );
}

interface CardsProps {
  readonly id: string;
  readonly title: string;
  readonly cards: readonly RunCard[];
  readonly now: number;
  readonly children?: React.ReactNode;
}

const Cards = ({ id, title, cards, now, children }: CardsProps) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <div className="cards">
      {cards.map((card) => (
        <RunCardView key={`${card.project} ${card.id}`} card={card} now={now} />
      ))}
    </div>
    {children}
  </section>
);

const isOpen = ({ state }: RunCard): boolean => !['done', 'failed', 'given-up'].includes(state);

function summaryOf(cards: readonly RunCard[]): string {
  const running = cards.filter(({ state }) => state === 'running').length;
  const waiting = cards.filter(({ state }) => state === 'needs you').length;
  const over = cards.filter((card) => !isOpen(card)).length;
  return `${running} running · ${waiting} waiting for you · ${over} finished`;
}

const Nothing = () => (
  <section className="empty">
    <h2>No runs yet</h2>
    <p>
      An agent works in a branch of its own, and you watch it here. <Link href="/new">Start a run</Link>, or type in a
      project:
    </p>
    <pre>
      <code>devs run "Add a cart to the shop"</code>
    </pre>
  </section>
);
