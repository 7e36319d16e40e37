import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { composeHook } from '../compose-hook.js';
import { HOOK_AGENTS, type HookAgent } from '../hook-agent.js';
import { hookFolder } from '../hook-folder.js';
import { parseHookPayload } from '../hook-payload.js';
import { runHook } from '../run-hook.js';

interface Call {
  readonly source?: string;
  readonly session?: string;
  readonly pid?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly agentId?: string;
  readonly agent?: string;
}

/** A process that is not there: Linux gives no higher number, and others none so high. */
export const GONE = 4_999_999;

/** A project in its own folder, with growing transcripts, and the hook as an agent calls it. */
export function createScene() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-hook-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const transcriptOf = (session: string) => join(folder, `${session}.jsonl`);
  const keptFile = (name: string) => join(hookFolder(join(folder, 'state', 'devs', 'hooks'), project).path, name);
  let lines = 0;

  function payload(event: string, { source, session = 's1', agentId }: Call = {}) {
    return {
      session_id: session,
      transcript_path: transcriptOf(session),
      cwd: project,
      hook_event_name: event,
      ...(source !== undefined && { source }),
      ...(agentId !== undefined && { agent_id: agentId }),
    };
  }

  /** The text that the agent is given, or nothing. */
  async function hook(event: string, call: Call = {}): Promise<string | undefined> {
    const parsed = parseHookPayload(JSON.stringify(payload(event, call)));
    if (parsed === undefined) throw new Error('not a payload');
    const agent = HOOK_AGENTS.find(({ name }) => name === (call.agent ?? 'claude-code')) as HookAgent;
    const env = { CLAUDE_PID: String(call.pid ?? GONE), XDG_STATE_HOME: join(folder, 'state'), ...call.env };
    const answer = await runHook(composeHook(agent, parsed, { env, platform: 'linux', ppid: GONE }), parsed);
    return answer === undefined ? undefined : JSON.parse(answer).hookSpecificOutput.additionalContext;
  }

  const write = (session: string, record: object) =>
    appendFileSync(
      transcriptOf(session),
      `${JSON.stringify({ uuid: `u${++lines}`, sessionId: session, cwd: project, timestamp: '2026-01-02T03:04:05Z', ...record })}\n`,
    );
  return {
    folder,
    project,
    transcriptOf,
    payload,
    hook,
    asks: (text: string, session = 's1') => write(session, { type: 'user', message: { role: 'user', content: text } }),
    says: (text: string, session = 's1') => write(session, assistant(`m${lines}`, [{ type: 'text', text }])),
    runs(command: string, result: string, { session = 's1', isError = false } = {}) {
      const id = `t${lines}`;
      write(session, assistant(`m${lines}`, [{ type: 'tool_use', id, name: 'Bash', input: { command } }]));
      const content = [{ type: 'tool_result', tool_use_id: id, content: result, is_error: isError }];
      write(session, { type: 'user', message: { role: 'user', content } });
    },
    writeFile(path: string, text: string) {
      mkdirSync(join(project, path, '..'), { recursive: true });
      writeFileSync(join(project, path), text);
    },
    kept: (name: string) => readFileSync(keptFile(name), 'utf8'),
    keptFile,
    log: () =>
      readFileSync(keptFile('hook.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line): Record<string, unknown> => JSON.parse(line)),
  };
}

const assistant = (id: string, content: readonly object[]) => ({
  type: 'assistant',
  message: { id, role: 'assistant', model: 'm', content, usage: { input_tokens: 10, output_tokens: 1 } },
});
