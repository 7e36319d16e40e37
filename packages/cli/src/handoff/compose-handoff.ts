import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { detectSource, listBuiltinFolders, TRANSCRIPT_SOURCES } from '@devs/drivers/transcripts';
import { composeRecords } from '../compose-records.js';
import { readText } from '../files/read-text.js';
import { isAlive } from '../is-alive.js';
import { describeScreen } from '../screen/screen.js';
import { createIsGone, machineName } from '../store-access/lease-holders.js';
import { createConversations } from './create-conversations.js';
import type { HandoffServices } from './handoff.js';

/** `compose.ts` for `devs handoff` alone: that one loads what all other commands need, which takes as long as the handoff. */
export function composeHandoff(process: NodeJS.Process): HandoffServices {
  const { stdin, stdout, stderr, env, platform } = process;
  const warn = (text: string) => void stderr.write(`${text}\n`);
  const folder = process.cwd();
  const { agreements, recordsIn } = composeRecords({ env, platform, warn });
  return {
    print: (text) => void stdout.write(`${text}\n`),
    warn,
    screen: describeScreen(stdout, env),
    readText: (path) => readText(path, { stdin, warn }),
    conversations: createConversations({
      loadAgents: async () => ({ TRANSCRIPT_SOURCES, detectSource, listBuiltinFolders }),
      loadWorktree,
      loadStores: () => import('@devs/store'),
      agreements,
      folder,
      home: homedir(),
      env,
      platform,
      now: Date.now,
      ...(stderr.isTTY === true ? { progress: warn } : {}),
    }),
    records: recordsIn(folder),
    storeSetting: env.DEVS_STORE,
    clock: { now: Date.now },
    newId: randomUUID,
    isGone: createIsGone({ hostName: machineName(env), isAlive }),
  };
}

/** Names what it takes, so that a bundle can leave the rest out. */
async function loadWorktree() {
  const { oldRunsFolder, readWorktree, runsFolder } = await import('@devs/worktree');
  return { oldRunsFolder, readWorktree, runsFolder };
}
