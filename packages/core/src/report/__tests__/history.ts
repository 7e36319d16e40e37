import type { StoredEvent } from '../../ports/event-log.js';
import type { JsonObject } from '../../ports/json.js';
import type { WorkflowTemplate } from '../../workflow/types.js';
import { runStarted } from '../../workflow/workflow-run.js';

const BEGUN = Date.UTC(2026, 0, 31, 9, 0, 0);
const SECOND_MS = 1_000;

const TEMPLATE: WorkflowTemplate = {
  name: 'feature',
  description: 'A feature',
  loops: { build: [{ id: 'code', instructions: 'Write it' }] },
  steps: [
    { id: 'plan', type: 'action', instructions: 'Plan it' },
    { id: 'build', type: 'loop' },
  ],
};

/** Events of several streams, one second after another; `after` moves the clock on. */
export function createHistory() {
  const events: StoredEvent[] = [];
  let at = BEGUN;
  const add = (stream: string, type: string, data: JsonObject = {}): StoredEvent => {
    at += SECOND_MS;
    const version = events.filter((event) => event.stream === stream).length + 1;
    const event = { position: events.length + 1, stream, version, at, type, data };
    events.push(event);
    return event;
  };
  return {
    run: (type: string, data: JsonObject = {}) => add('run:r1', type, data),
    terminal: (type: string, data: JsonObject = {}) => add('terminal:run-r1', type, data),
    wait: (seconds: number) => {
      at += seconds * SECOND_MS;
    },
    start() {
      const { type, data } = runStarted({ template: TEMPLATE, source: { path: 'feature.yaml', digest: 'd' } });
      add('run:r1', type, data);
      add('run:r1', 'run.prepared', {
        request: 'Add a cart',
        workflow: 'feature',
        agent: 'builtin',
        place: 'own',
        folder: '/home/anna/shop',
      });
      add('run:r1', 'worktree.made', { path: '/home/anna/shop-r1', branch: 'devs/r1', base: 'abc' });
      add('run:r1', 'run.begun', { by: 'anna', terminal: 'run-r1' });
    },
    history: () => ({
      id: 'r1',
      run: events.filter(({ stream }) => stream === 'run:r1'),
      terminals: new Map([['run-r1', events.filter(({ stream }) => stream === 'terminal:run-r1')]]),
    }),
  };
}
