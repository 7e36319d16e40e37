import { inboxItems } from '../../fold/inbox.js';
import { useMoment, usePageState } from '../../parts/page-context.js';
import { InboxCard } from './inbox-card.js';

/** Everything that only the user can settle. */
export function Inbox() {
  const { projects, terminals, hearing } = usePageState();
  const now = useMoment();
  const items = inboxItems(projects, terminals);
  return (
    <>
      <div className="head">
        <h1>Inbox</h1>
        <NotificationSwitch />
      </div>
      {items.length === 0 ? null : (
        <section className="questions whole" aria-label="What needs you">
          {items.map((item) => (
            <InboxCard key={item.id} item={item} now={now} isWhole />
          ))}
        </section>
      )}
      {items.length === 0 && hearing.isCaughtUp ? (
        <section className="empty">
          <h2>Nothing needs you</h2>
          <p>Questions of agents, permissions and refused limits appear here, and in the title of this page.</p>
        </section>
      ) : null}
    </>
  );
}

function NotificationSwitch() {
  if (!('Notification' in window) || Notification.permission !== 'default') return null;
  return (
    <button type="button" onClick={() => void Notification.requestPermission()}>
      Notify me
    </button>
  );
}
