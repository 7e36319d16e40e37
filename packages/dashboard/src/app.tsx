import { lazy, Suspense, useEffect } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { inboxItems, needsUser } from './fold/inbox.js';
import { OpenDialog } from './parts/dialogs.js';
import { FaultBoundary } from './parts/fault-boundary.js';
import { Keys } from './parts/keys.js';
import { Navigation } from './parts/navigation.js';
import { usePageState } from './parts/page-context.js';
import { PastBar } from './parts/past-bar.js';
import { ShownToasts } from './parts/toasts.js';
import { useNotifications } from './parts/use-notifications.js';
import { Inbox } from './views/inbox/inbox.js';
import { Overview } from './views/overview/overview.js';

const RunPage = lazy(() => import('./views/run/run-page.js'));
const TerminalPage = lazy(() => import('./views/terminal/terminal-page.js'));
const Tasks = lazy(() => import('./views/tasks/tasks.js'));
const LogPage = lazy(() => import('./views/log/log-page.js'));
const Cost = lazy(() => import('./views/cost/cost.js'));
const NewRun = lazy(() => import('./views/new-run/new-run.js'));
const Settings = lazy(() => import('./views/settings/settings.js'));

/** Every view of the page, and what stands around them. */
export function App() {
  const { projects, terminals } = usePageState();
  const [view] = useLocation();
  const waiting = needsUser(inboxItems(projects, terminals));
  useNotifications(waiting);
  useEffect(() => {
    document.title = waiting.length === 0 ? 'devs' : `(${waiting.length}) devs needs you`;
  }, [waiting.length]);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Navigation waiting={waiting.length} />
      <div className="stage">
        <PastBar />
        <main id="content" tabIndex={-1}>
          <FaultBoundary key={view}>
            <Suspense fallback={<p className="quiet">Loading …</p>}>
              <Switch>
                <Route path="/" component={Overview} />
                <Route path="/inbox" component={Inbox} />
                <Route path="/runs/:run">{({ run }) => <RunPage key={run} id={run} />}</Route>
                <Route path="/terminals/:name">{({ name }) => <TerminalPage key={name} name={name} />}</Route>
                <Route path="/tasks" component={Tasks} />
                <Route path="/log" component={LogPage} />
                <Route path="/cost" component={Cost} />
                <Route path="/new" component={NewRun} />
                <Route path="/settings" component={Settings} />
                <Route>
                  <h1>There is no such page</h1>
                  <p>
                    <a href="/">Back to the overview</a>
                  </p>
                </Route>
              </Switch>
            </Suspense>
          </FaultBoundary>
        </main>
      </div>
      <Keys />
      <OpenDialog />
      <ShownToasts />
    </div>
  );
}
