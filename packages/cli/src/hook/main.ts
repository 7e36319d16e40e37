import { statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { composeHook, createUserLog } from './compose-hook.js';
import { HOOK_AGENTS, HOOKS_AT_LAUNCH, type HookAgent, type HookMode, sinceStartMs } from './hook-agent.js';
import type { HookLog } from './hook-log.js';
import { type HookPayload, parseHookPayload } from './hook-payload.js';
import { runHook } from './run-hook.js';

/** What the agent does not wait for. */
const BACKGROUND_EVENTS = new Set(['Stop', 'PreCompact']);
/** Set for a hook that works on in the background by itself: it must not start another. */
const IN_BACKGROUND = 'DEVS_HOOK_IN_BACKGROUND';
const MAX_PAYLOAD_CHARS = 32 << 20;

/**
 * `devs hook AGENT`: the payload on stdin, the answer on stdout. Errors are written only to the log, as the caller is
 * a working agent: the exit code is 0, and an answer is whole or empty.
 */
export async function hook(
  agentName: string,
  process: NodeJS.Process,
  { isLaunched, startedAt = sinceStartMs() }: HookMode = { isLaunched: false },
): Promise<void> {
  let log: HookLog | undefined;
  try {
    if (isOff(process.env.DEVS_HOOK)) return;
    // What the user has installed besides says nothing where devs has brought its own: nothing comes twice.
    if (!isLaunched && process.env[HOOKS_AT_LAUNCH] !== undefined) return;
    const agent = HOOK_AGENTS.find(({ name }) => name === agentName);
    const input = await text(process.stdin);
    const payload = input.length > MAX_PAYLOAD_CHARS ? undefined : parseHookPayload(input);
    if (agent === undefined || payload === undefined) throw new Error(`no payload of ${agentName}`);
    // A worktree may be gone by now, and must not come back with nothing but our files in it.
    if (!statSync(payload.folder, { throwIfNoEntry: false })?.isDirectory()) return;
    if (!agent.hasBackgroundHooks && BACKGROUND_EVENTS.has(payload.event) && process.env[IN_BACKGROUND] === undefined) {
      return await workOn(agent, payload, { process, isLaunched });
    }
    const world = composeHook(agent, payload, process, { isLaunched, startedAt });
    log = world.log;
    const answer = await runHook(world, payload);
    if (answer !== undefined) process.stdout.write(answer);
  } catch (error) {
    (log ?? createUserLog(process))({ event: 'HOOK_FAILED', hook: agentName, error: describe(error) });
  }
}

const isOff = (setting: string | undefined): boolean =>
  ['off', '0', 'false', 'no'].includes((setting ?? '').toLowerCase());

/** The same again, in a process that the agent does not wait for. */
async function workOn(
  { name }: HookAgent,
  payload: HookPayload,
  { process, isLaunched }: HookMode & { readonly process: NodeJS.Process },
) {
  const { spawn } = await import('node:child_process');
  const { execPath, argv, env } = process;
  const child = spawn(execPath, [argv[1] ?? '', 'hook', name, ...(isLaunched ? ['--launched'] : [])], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...env, [IN_BACKGROUND]: '1' },
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  const { event, conversation, transcript, folder } = payload;
  child.stdin.end(
    JSON.stringify({ hook_event_name: event, session_id: conversation, transcript_path: transcript, cwd: folder }),
  );
  child.unref();
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
