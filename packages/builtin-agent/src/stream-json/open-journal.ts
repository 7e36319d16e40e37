import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentSays, type BuiltinFact, streamRecords, streamUser } from '@devs/drivers';
import { createStatusFile } from '../conversation/status-file.js';
import type { Face } from '../session/agent-setup.js';
import type { StreamSetup } from './stream-setup.js';

/** What devs writes down beside the agent's own transcript: its state, permissions, and what went wrong. */
export interface Journal {
  append(fact: BuiltinFact): void;
  /** It can be talked to. No turn has ended with that. */
  ready(): void;
  /** Says the same thing once. */
  state(says: AgentSays, detail: string, error?: string): void;
  inConversation(id: string): void;
  inBackground(tasks: { readonly subAgents: number; readonly shells: number }): void;
  close(): void;
}

export function openJournal({ user, pid, clock, conversationId }: StreamSetup, face: Pick<Face, 'show'>): Journal {
  const path = streamRecords(user, pid);
  const startedAt = clock.now();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const status = createStatusFile(streamUser(user), pid);
  removeLeftovers(dirname(path));
  writeFileSync(path, '', { mode: 0o600 });
  let [conversation, background] = [conversationId, { subAgents: 0, shells: 0 }];
  let now: { readonly says: AgentSays; readonly detail: string } = { says: 'busy', detail: 'it starts' };

  const append: Journal['append'] = ({ type, ...rest }) => {
    const record = { at: new Date(clock.now()).toISOString(), type, ...rest };
    appendFileSync(path, `${JSON.stringify(record)}\n`);
  };
  const tell = () => status.write({ conversation, path, ...now, startedAt, background });
  const be = (says: AgentSays, detail: string) => {
    now = { says, detail };
    face.show(says);
    tell();
  };
  tell();
  return {
    append,
    ready: () => be('idle', 'ready'),
    state(says, detail, error) {
      if (now.says === says && error === undefined) return;
      append({ type: 'state', says, detail, ...(error === undefined ? {} : { error }) });
      be(says, detail);
    },
    inConversation(id) {
      if (id === conversation) return;
      conversation = id;
      tell();
    },
    inBackground(tasks) {
      background = tasks;
      tell();
    },
    close: status.remove,
  };
}

/** Those of processes whose status is gone. */
function removeLeftovers(folder: string): void {
  const names = readdirSync(folder);
  for (const name of names)
    if (name.endsWith('.jsonl') && !names.includes(name.slice(0, -1))) rmSync(join(folder, name), { force: true });
}
