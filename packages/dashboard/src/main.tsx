import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { Door } from './door.js';
import { snapshotOf } from './fold/snapshot.js';
import { connectSocket } from './live/connect-socket.js';
import { createPageStore } from './live/page-store.js';
import { openSession, type Session } from './live/session.js';
import { createDialogs } from './parts/dialogs.js';
import { PageContext } from './parts/page-context.js';
import { createToasts } from './parts/toasts.js';
import { keptTheme } from './parts/use-theme.js';

/** What tells that the machine or the tab was asleep. */
const WAKINGS: readonly (readonly [EventTarget, string])[] = [
  [document, 'visibilitychange'],
  [document, 'resume'],
  [window, 'pageshow'],
  [window, 'online'],
  [window, 'focus'],
];

document.documentElement.dataset.theme = keptTheme();
const root = createRoot(document.getElementById('page') as HTMLElement);
const { session, problem } = await openSession(location, history);
if (session === undefined) root.render(<Door problem={problem} />);
else start(session);

function start(session: Session): void {
  const store = createPageStore({
    client: session.client,
    token: session.token,
    connect: (events) => connectSocket(events, refused),
    now: Date.now,
    after,
  });
  const page = { store, session, dialogs: createDialogs(), toasts: createToasts(after) };
  // After a sleep the connection may be gone without a word.
  for (const [target, name] of WAKINGS) target.addEventListener(name, () => store.live.check());
  // For bug reports, in the console: what this page has folded of the logs.
  Object.assign(window, { devsState: () => JSON.stringify(store.get().projects.map(snapshotOf)) });
  root.render(
    <PageContext value={page}>
      <App />
    </PageContext>,
  );

  function refused(): void {
    session.forget();
    store.close();
    root.render(<Door problem="This page is no longer signed in: its day is over, or the supervisor forgot it." />);
  }
}

function after(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}
