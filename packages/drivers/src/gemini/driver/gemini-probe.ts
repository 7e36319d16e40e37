import { dirname, join } from 'node:path';
import type { Clock, WatchRequest } from '@devs/core';
import type { AgentProbe, Located } from '../../driving/create-agent-watch.js';
import type { Standing } from '../../driving/standing.js';
import type { StatusFact } from '../../driving/standing-fact.js';
import { createGeminiParser } from '../create-gemini-parser.js';
import { type ChatFile, chatFolders, listChats, readChatStart } from './find-chat.js';
import { readGeminiScreen, readGeminiTitle } from './gemini-screen.js';
import { createGeminiStanding, isTellingForGemini } from './gemini-standing.js';

/** Of every model since 1.5, which Gemini writes down nowhere. */
const WINDOW_TOKENS = 1_048_576;
const CLOCK_SLACK_MS = 2_000;

/** Gemini's traces: its chat file, its title and its screen. A turn ends where the title says so: the file does not tell. */
export function geminiProbe(request: WatchRequest, { clock }: { readonly clock: Clock }): AgentProbe {
  const root = join(request.env.GEMINI_CLI_HOME || request.home, '.gemini');
  const looked = new Map<string, ChatFile>();
  let model: string | undefined;
  const standingOf = createGeminiStanding((named) => {
    model = named;
  });
  const ends = createTurnEnds();

  const locate = async (known: Located | undefined, standing: Standing): Promise<Located | undefined> => {
    const folders = await chatFolders(root, request.folder);
    for (const path of await listChats(folders)) {
      const start = looked.has(path) ? undefined : await readChatStart(path);
      if (start !== undefined) looked.set(path, start);
    }
    const chat = chatOf([...looked.values()], known?.conversationId);
    return {
      ...(chat === undefined
        ? request.conversationId === undefined
          ? {}
          : { conversationId: request.conversationId }
        : { conversationId: chat.conversationId, path: chat.path }),
      listen: new Map(chat === undefined ? [] : [[dirname(chat.path), (name) => name.endsWith('.jsonl')]]),
      facts: ends.take(standing),
    };
  };

  /** The conversation that this process began last; else that of its launch, whose first file holds it. */
  const chatOf = (chats: readonly ChatFile[], current: string | undefined): ChatFile | undefined => {
    const wanted = current ?? request.conversationId;
    const begun = chats.filter(({ startedAt, isMain }) => isMain && startedAt >= request.startedAt - CLOCK_SLACK_MS);
    const newest = begun.toSorted((a, b) => b.startedAt - a.startedAt)[0];
    const isKnown = chats.some(({ conversationId }) => conversationId === wanted);
    const id = newest !== undefined && (isKnown || wanted === undefined) ? newest.conversationId : wanted;
    return chats.find(({ conversationId }) => conversationId === id); // a second file of it is empty
  };

  return {
    locate,
    transcript: { createParser: createGeminiParser, isRelevant: isTellingForGemini },
    recordStanding: standingOf,
    windowOf: () =>
      request.windowTokens !== undefined
        ? { windowTokens: request.windowTokens, source: 'configured' }
        : model?.startsWith('gemini-') === true
          ? { windowTokens: WINDOW_TOKENS, source: 'known model' }
          : { windowTokens: 0, source: 'unknown' },
    readTitle(title) {
      const said = readGeminiTitle(title);
      ends.see(said.says, clock.now());
      return said;
    },
    readScreen: readGeminiScreen,
    readHook: () => undefined,
  };
}

/** The end of a turn by the title, reported at the second look: the first look reads its beginning in the chat file. */
function createTurnEnds() {
  let isBusy = false;
  let seen: number | undefined;
  let due: number | undefined;
  return {
    see(says: string, at: number): void {
      if (says === 'busy' || says === 'waiting') isBusy = true;
      else if (isBusy && says === 'not-busy') {
        isBusy = false;
        seen = at;
      }
    },
    take({ activity }: Standing): readonly StatusFact[] {
      const at = due;
      due = seen;
      seen = undefined;
      const isOpen = at !== undefined && activity?.says === 'busy' && (activity.at ?? 0) <= at;
      return isOpen ? [{ type: 'turn-ended', detail: 'its title says Ready', at }] : [];
    },
  };
}
