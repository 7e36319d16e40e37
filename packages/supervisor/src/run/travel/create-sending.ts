import { DEFAULT_RUN_TIMING } from '../run.js';
import type { AttentionOptions } from '../supervise-run.js';
import { createWorkSender, type Sent, type WorkSender } from './send-work.js';

export interface Sending {
  readonly sender: WorkSender;
  /** Sends soon, beside everything else. */
  wake(): void;
  close(): void;
}

interface SendingEars {
  tell(text: string): void;
  onOvertaken(why: string): void;
}

/** Pushes the work of a run at step ends and every few minutes. Nothing where no other machine shares the store. */
export function createSending(
  { request, opened, folder, terminal }: AttentionOptions,
  { tell, onOvertaken }: SendingEars,
): Sending | undefined {
  const { travel } = request;
  if (travel === undefined || folder.branch === undefined) return undefined;
  const sender = createWorkSender({
    id: opened.id,
    request,
    travel,
    record: opened.record,
    folder,
    fence: opened.lease.fence,
    // By the server: the clock of this machine may be wrong, or have stood still.
    isOurs: async () => (await request.store.leases.get(opened.lease.name))?.fence === opened.lease.fence,
    handoff: async () => terminal?.handoff(),
  });
  const { sendMs } = { ...DEFAULT_RUN_TIMING, ...request.timing };
  let waiting = false;
  let toldWhy = '';
  const after = (sent: Sent) => {
    if (sent.status === 'overtaken') onOvertaken('another machine has it now');
    if (sent.status === 'not-sent' && sent.why !== toldWhy) tell(`not pushed: ${sent.why}`);
    toldWhy = sent.status === 'not-sent' ? sent.why : '';
  };
  const wake = () => {
    if (waiting) return;
    waiting = true;
    // What ends while it is pushed is pushed by the next.
    queueMicrotask(() => {
      waiting = false;
      void sender.send().then(after);
    });
  };
  const timer = setInterval(wake, sendMs);
  // What was begun here may be needed elsewhere before its first step ends.
  if (opened.record.facts.pushed === undefined && opened.record.facts.plan?.at === undefined) wake();
  return { sender, wake, close: () => clearInterval(timer) };
}
