import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { locateProjectStore } from '@devs/store/project-store';
import { isAlive } from '../is-alive.js';
import { agreementsFolder, openAgreements } from '../trust/agreements.js';
import { isKnownStore } from '../trust/store-gate.js';
import { type HookAgent, type HookMode, sinceStartMs } from './hook-agent.js';
import { createHookFiles } from './hook-files.js';
import { hookFolder, hooksHome } from './hook-folder.js';
import { createHookLog, type HookLog, type LogPlace, userPlace } from './hook-log.js';
import type { HookPayload } from './hook-payload.js';
import { readHookSettings } from './hook-settings.js';
import type { HookDeps } from './hook-world.js';
import { createKeepLedger } from './keep-ledger.js';
import { READ_UNTIL_MS } from './plan-reading.js';
import { createReadStore } from './read-store.js';
import { readSpecs } from './specs.js';

/** The longest that a hook reads a transcript; the agent's own limit is above it. */
const MAX_MS = 8_000;

const LOG = 'hook.log';

type HookProcess = Pick<NodeJS.Process, 'env' | 'platform' | 'ppid'>;

/** `compose.ts` for hooks alone: that one loads what all other commands need, which takes longer than a hook may. */
export function composeHook(
  agent: HookAgent,
  payload: HookPayload,
  { env, platform, ppid }: HookProcess,
  { isLaunched, startedAt = sinceStartMs() }: HookMode = { isLaunched: false },
): HookDeps {
  const { root, file: storeFile } = locateProjectStore(payload.folder);
  const place = { env, platform, home: homedir() };
  const [home, agreed] = [hooksHome(place), agreementsFolder(place)];
  if (home === undefined || agreed === undefined) throw new Error('there is no folder for what hooks keep. Set HOME.');
  const agreements = openAgreements(async () => agreed);
  const folder = hookFolder(home, root);
  const files = createHookFiles(folder, randomUUID);
  const projectLog = { file: join(folder.path, LOG), prepare: folder.make };
  const log = createHookLog([projectLog, ...userLog({ env, platform })], Date.now);
  const said = readHookSettings(root, env, (problem) => log({ event: 'HOOK_SETTING_IGNORED', problem }));
  const isWaitedFor = payload.event === 'SessionStart';
  const elapsedMs = () => sinceStartMs() - startedAt;
  const settings = isLaunched ? { ...said, open: false } : said;
  return {
    agent,
    settings,
    files,
    log,
    now: Date.now,
    agentPid: Number(env.CLAUDE_PID) || ppid,
    isAlive,
    readSpecs: () => readSpecs(root, settings.specs),
    renderReminder: async (specs, budgetTokens) =>
      (await import('@devs/core/hooks/texts')).renderReminder(specs, budgetTokens),
    keepLedger: createKeepLedger({
      agent,
      files,
      loadMaking,
      signal: AbortSignal.timeout(isWaitedFor ? Math.max(0, READ_UNTIL_MS - Math.round(elapsedMs())) : MAX_MS),
      elapsedMs,
      isWaitedFor,
      onProblem: (error) => log({ event: 'HOOK_FAILED', hook: payload.event, error: String(error) }),
    }),
    hasStore: existsSync(storeFile),
    readStore: createReadStore({
      files,
      storeFile,
      root,
      folder: payload.folder,
      isKnown: async (id) => isKnownStore(agreements, { root, file: storeFile }, id),
      loadStores: () => import('@devs/store'),
      loadRecords,
      now: Date.now,
      newId: randomUUID,
    }),
  };
}

// Each names what it takes, so that a bundle can leave the rest of those packages out.

const loadMaking = () => import('./making.js');

async function loadRecords() {
  const core = await import('@devs/core');
  const { buildMinimalState, contextSection, createRunFold, followOpenedRun, openStore, redactText, runStream } = core;
  const { worktreeStream } = await import('@devs/mcp/worktree-stream');
  const parts = { buildMinimalState, contextSection, createRunFold, followOpenedRun, openStore, redactText, runStream };
  return { ...parts, worktreeStream };
}

/** For what cannot be logged with the rest of the project, and for what happens before it is known. */
export function createUserLog(place: Pick<HookProcess, 'env' | 'platform'>): HookLog {
  return createHookLog(userLog(place), Date.now);
}

function userLog({ env, platform }: Pick<HookProcess, 'env' | 'platform'>): readonly LogPlace[] {
  const home = hooksHome({ env, platform, home: homedir() });
  return home === undefined ? [] : [userPlace(join(dirname(home), LOG))];
}
