import { join } from 'node:path';
import {
  buildContextRefreshPrompt,
  GO_ON_PROMPT,
  isOwnPrompt,
  type RenewalCause,
  type RenewalState,
  readFilePrompt,
} from '@devs/core';
import { writePrivateFiles } from '@devs/drivers';
import { withRecords } from '../act/with-records.js';
import type { StartRequest } from '../launch/agent-process.js';
import type { Supervision } from '../supervision.js';
import { askForHandoff } from './ask-for-handoff.js';
import { confirmTakeover } from './confirm-takeover.js';
import { keepCheckpoint } from './keep-checkpoint.js';
import type { RenewalPerformer } from './renewal-performer.js';
import { writeDocument } from './write-document.js';

/** Does for real what a renewal asks for. `underway` is the state that the record was in when it was read last. */
export function createPerformer(supervision: Supervision, underway: () => RenewalState): RenewalPerformer {
  const { agentProcess, record, store, task } = supervision;
  const fresh = async (agentId: string, document: string): Promise<Fresh> => ({
    agentId,
    conversation: { kind: 'fresh', id: agentId },
    systemPrompt: systemPromptFor(supervision, document),
    firstPrompt: await withRecords(supervision, GO_ON_PROMPT),
  });

  return {
    askForHandoff: (effect) => askForHandoff(supervision, effect, idOf(underway())),
    async buildDocument({ agentId, words }) {
      const { text, told, added, checked } = await writeDocument(supervision, agentId, words);
      return { type: 'document.verified', document: text, told, added, checked };
    },
    saveCheckpoint: () => keepCheckpoint(supervision, idOf(underway())),
    async endAgent({ agentId }) {
      const reason = whyNot(supervision, agentId, causeOf(underway()));
      // What sits there by now is not what this renewal was begun for.
      if (record.facts.agent?.agentId !== agentId)
        return { type: 'renewal.abandoned', reason: 'another agent runs here' };
      if (reason !== undefined) return { type: 'renewal.abandoned', reason };
      const { manner, survivors } = await agentProcess.clear(agentId, supervision.timing.graceMs);
      if (survivors.length > 0) {
        const names = survivors.map(({ pid, command }) => `${command} (${pid})`).join(', ');
        supervision.notify({ kind: 'trouble', detail: `could not be ended with its agent: ${names}` });
      }
      return { type: 'agent.ended', forced: manner === 'killed' };
    },
    async spawnAgent({ agentId, document }) {
      const outcome = await agentProcess.start(await fresh(agentId, document));
      if (outcome.kind === 'failed') return { type: 'spawn.failed', error: outcome.error };
      return { type: 'agent.spawned', agentId }; // stored already by the agent process, which knows more of it
    },
    async confirmTakeover({ agentId }) {
      const request = await fresh(agentId, record.facts.agent?.document ?? record.facts.document ?? '');
      const isGiven = await agentProcess.carriesPrompt(request);
      if (isGiven) return confirmTakeover(supervision, agentId, { text: request.firstPrompt, isGiven });
      const path = join(supervision.privateFolder, 'handoff.md');
      const text = await withRecords(supervision, `${request.systemPrompt}\n\n${GO_ON_PROMPT}`);
      await writePrivateFiles([{ path, text: `${text}\n` }]);
      return confirmTakeover(supervision, agentId, { text: readFilePrompt(path), isGiven });
    },
    async releaseTask({ taskId }) {
      // With the number of our claim: a task claimed by another since is not taken away.
      if (task?.id === taskId) await store.tasks.release(task);
      return { type: 'task.released', taskId };
    },
  };
}

type Fresh = StartRequest & { readonly systemPrompt: string; readonly firstPrompt: string };

/** The base of the terminal and the latest handoff, never more (H4). */
export function systemPromptFor({ basePrompt }: Supervision, document: string | undefined): string {
  const base = basePrompt === undefined ? {} : { basePrompt };
  return document === undefined ? (basePrompt ?? '') : buildContextRefreshPrompt(document, base);
}

/** Obstacles since the renewal began. A renewal requested by the user is done, even while they are there. */
function whyNot(supervision: Supervision, agentId: string, cause: RenewalCause | undefined): string | undefined {
  if (cause === 'asked for') return undefined;
  const { agent } = supervision.agentProcess;
  if (agent === undefined || agent.agentId !== agentId || agent.view() === 'exited') return undefined;
  if (supervision.isAttended()) return 'the user is here';
  if (agent.seen.state.activity === 'waiting') return 'it waits for an answer';
  const asked = agent
    .since(0)
    .flatMap((event) => (event.type === 'conversation.grew' && !event.isPast ? event.events : []))
    .findLast(({ type }) => type === 'request.made' || type === 'note.written');
  const isAtWork = agent.seen.state.activity === 'busy' && asked?.type === 'request.made' && !isOwnPrompt(asked.text);
  return isAtWork ? 'it was given more to do' : undefined;
}

const idOf = (state: RenewalState): string => ('newAgentId' in state ? state.newAgentId : '');
const causeOf = (state: RenewalState): RenewalCause | undefined => ('cause' in state ? state.cause : undefined);
