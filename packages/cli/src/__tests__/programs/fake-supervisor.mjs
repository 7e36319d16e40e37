// A supervisor as far as context actions go, in a process of its own: takes the run of the store, performs what is requested,
// and says when it was seen to happen. `deaf` does not hear of it the first time, `blind` never. Prints a line for each deed.
import { randomUUID } from 'node:crypto';
import { contextActionEvent, decideContextAction, openStore, reduceWorkflowRun, runStream } from '@devs/core';
import { openSqliteBackend } from '@devs/store';

const [file, manner] = process.argv.slice(2);
const DEADLINE_MS = 60;
const clock = { now: Date.now };
const store = openStore({
  backend: openSqliteBackend({ file, keepAlive: true, now: Date.now }),
  clock,
  newId: randomUUID,
});
const ended = new AbortController();
process.on('SIGTERM', () => ended.abort());

let run;
for await (const event of store.log.follow({ signal: ended.signal })) {
  if (event.type === 'workflow.started') {
    const name = event.stream;
    const { lease } = await store.leases.acquire({ name, by: 'fake supervisor', leaseMs: 60_000 });
    console.log(lease === undefined ? 'refused' : 'holds');
  }
  // What it said itself it has taken in already.
  if (!event.stream.startsWith('run:') || event.version <= (run?.version ?? 0)) continue;
  run = reduceWorkflowRun(run, event);
  if (event.type === 'context-action.requested') await perform();
}
await store.close();

async function perform() {
  const { action } = run.contextAction;
  for (;;) {
    const decision = decideContextAction(run.contextAction, Date.now(), { deadlineMs: DEADLINE_MS });
    if (decision.do === 'wait') await new Promise((resolve) => setTimeout(resolve, decision.until - Date.now()));
    else if (decision.do === 'abandon') return say({ type: 'context-action.abandoned', reason: decision.reason });
    else {
      const { attempt, how } = decision;
      console.log(`${action} ${run.state.visit} ${how}`);
      await say({ type: 'context-action.performed', attempt, how });
      const isSeen = manner === 'blind' ? false : manner === 'deaf' ? attempt > 1 : true;
      if (isSeen) return say({ type: 'context-action.observed', evidence: 'compact_boundary' });
    }
  }
}

async function say(event) {
  const stream = runStream(run.id);
  const result = await store.log.append(stream, run.version, [contextActionEvent(run.state.visit, event)]);
  if (result.status !== 'appended') throw new Error('somebody else writes to the run');
  const [stored] = await store.log.read({ stream, after: result.position - 1 });
  run = reduceWorkflowRun(run, stored);
}
