import { answerPermission } from './act/answer-permission.js';
import { goBack } from './act/go-back.js';
import { interruptTurn } from './act/interrupt-turn.js';
import { renewAgent } from './act/renew-agent.js';
import { sendPrompt } from './act/send-prompt.js';
import { canCallOff, stopAgent } from './act/stop-agent.js';
import { holdsDraft } from './attendance.js';
import { type Charge, consider, noteProgress } from './charge.js';
import type { Farewell } from './farewell.js';
import { writeDocument } from './renewal/write-document.js';
import { statusOf } from './status-of.js';
import type { SupervisedTerminal } from './supervised-terminal.js';

/** What callers can do with a terminal while it is supervised. What concerns its agent is done in its turn. */
export function terminalOf(charge: Charge, farewell: Farewell, notes: readonly string[]): SupervisedTerminal {
  const { supervision, renewals, policy, lane, controller, attendance } = charge;
  const { name, agentProcess, record, driver, clock } = supervision;
  return {
    name,
    status: () => statusOf({ supervision, renewal: renewals.state, policy, notes }),
    send: (text, only) =>
      lane.run(async () => {
        if (only !== undefined) await agentProcess.agent?.look(); // it may have gone to work a moment ago
        if ((await only?.if()) === false) return { kind: 'refused', reason: 'busy' };
        return sendPrompt(supervision, text);
      }),
    async interrupt(words) {
      const outcome = await interruptTurn(supervision); // not in its turn: what is being done may wait for the agent
      if (words === undefined || outcome.kind === 'not-seen') return outcome;
      return { ...outcome, told: await lane.run(() => sendPrompt(supervision, words)) };
    },
    renew: ({ keepsDraft = false } = {}) =>
      lane.run(async () => {
        if (keepsDraft && holdsDraft(agentProcess.agent, driver)) return { status: 'refused', reason: 'draft' };
        if (record.facts.escalation !== undefined) await record.append({ type: 'escalation.settled' });
        return renewAgent(supervision, renewals, { cause: 'asked for', policy });
      }),
    answerPermission: (requestId, chosen) => lane.run(() => answerPermission(supervision, requestId, chosen)),
    restart: (why) => lane.run(() => controller.restart(why)),
    async handoff() {
      const { agent } = record.facts;
      return agent === undefined ? undefined : (await writeDocument(supervision, agent.agentId)).text;
    },
    undoRenewal: () => lane.run(() => goBack(supervision)),
    contextAction(action) {
      const performed = controller.want(action);
      consider(charge);
      return performed;
    },
    boundary() {
      agentProcess.agent?.note({ type: 'boundary.reached', at: clock.now() });
      noteProgress(charge);
      consider(charge);
    },
    user(is) {
      attendance.note(is);
      agentProcess.agent?.answerQueries(!attendance.isAttached);
      consider(charge);
    },
    async settle() {
      await record.append({ type: 'escalation.settled' });
      agentProcess.agent?.note({ type: 'failure.settled' });
      consider(charge);
    },
    async stop(manner) {
      await record.append({ type: 'terminal.stopped' });
      if (canCallOff(renewals)) lane.callOff('the terminal is being stopped');
      return lane.run(() => stopAgent(supervision, renewals, manner));
    },
    ...farewell,
  };
}
