import { setTimeout as pause } from 'node:timers/promises';
import type { AgentChannel, HandOver } from '@devs/core';
import { listIn, objectIn, textIn } from '../../reading/json.js';
import type { OpencodeCall } from './call-opencode.js';
import { isChoice } from './opencode-permissions.js';
import type { OpencodeProcess } from './opencode-process.js';

/** A busy machine takes its time to write a prompt down. */
const PATIENCE_MS = 20_000;
const POLL_MS = 50;

/** Without words a refusal would end the turn (measured, 1.18.33). */
const REFUSED = 'The user refused this. Do without it.';

/** The channel to an opencode process: its HTTP server. */
export function createOpencodeChannel(process: OpencodeProcess): AgentChannel {
  /** No answer in time is no refusal: what came of it stands in its records. */
  const hand = async (call: Omit<OpencodeCall, 'method'>): Promise<HandOver> => {
    if (!(await process.server.isReady())) return 'full';
    const answer = await process.server.call({ method: 'POST', timeoutMs: PATIENCE_MS, body: {}, ...call });
    return answer === 'none' || answer.status < 400 ? 'handed' : 'full';
  };

  const open = async (): Promise<string | undefined> => {
    if (!(await process.server.isReady())) return undefined;
    const answer = await process.server.call({ method: 'POST', path: '/session', body: {}, timeoutMs: PATIENCE_MS });
    const id = answer === 'none' ? undefined : textIn(objectIn(answer.value)?.id);
    if (id === undefined) return undefined;
    process.begin(id);
    await process.server.call({ method: 'POST', path: '/tui/select-session', body: { sessionID: id } });
    return id;
  };

  const inConversation = async (path: string, body: object): Promise<HandOver> =>
    process.conversationId === undefined
      ? 'handed' // there is nothing that it could be done to
      : hand({ path: `/session/${process.conversationId}/${path}`, body });

  return {
    async prompt(text, promptId) {
      const id = process.conversationId ?? (await open());
      if (id === undefined) return 'full';
      const parts = [{ type: 'text', text, metadata: { devs: { promptId } } }];
      process.isTurnAwaited = true;
      const handed = await hand({ path: `/session/${id}/prompt_async`, body: { parts } });
      if (handed !== 'handed') process.isTurnAwaited = false;
      return handed;
    },
    async interrupt() {
      const deadline = performance.now() + PATIENCE_MS;
      while (process.isTurnAwaited && performance.now() < deadline) await pause(POLL_MS);
      const handed = await inConversation('abort', {});
      if (handed === 'handed') await withdrawPermissions(process);
      return handed;
    },
    async compact() {
      const model = await lastModel(process);
      return model === undefined ? 'full' : inConversation('summarize', model);
    },
    clear: async () => ((await open()) === undefined ? 'full' : 'handed'),
    usage: async () => 'unsupported', // it says so after each answer, and cannot be asked
    async answer(requestId, choice, words) {
      if (!isChoice(choice)) return 'unsupported';
      process.answered.add(requestId);
      const message = words ?? (choice === 'reject' ? REFUSED : undefined);
      const body = { reply: choice, ...(message === undefined ? {} : { message }) };
      return hand({ path: `/permission/${encodeURIComponent(requestId)}/reply`, body });
    },
  };
}

/** A permission outlives the turn that it was asked in: it would be asked again in the next one. */
async function withdrawPermissions({ server, conversationId, withdrawn }: OpencodeProcess): Promise<void> {
  for (const request of listIn(await server.ask('/permission')).map(objectIn)) {
    const id = textIn(request?.id);
    if (id === undefined || request?.sessionID !== conversationId) continue;
    withdrawn.add(id);
    await server.call({
      method: 'POST',
      path: `/permission/${encodeURIComponent(id)}/reply`,
      body: { reply: 'reject' },
    });
  }
}

/** To summarize, it has to be told with which model. */
async function lastModel({ server, conversationId }: OpencodeProcess): Promise<object | undefined> {
  if (conversationId === undefined) return undefined;
  const model = objectIn(objectIn(await server.ask(`/session/${conversationId}`))?.model);
  const [providerID, modelID] = [textIn(model?.providerID), textIn(model?.id)];
  return providerID === undefined || modelID === undefined ? undefined : { providerID, modelID };
}
