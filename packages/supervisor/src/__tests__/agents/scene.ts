import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AgentDriver, openStore } from '@devs/core';
import { startModelServer } from '@devs/scripted-model';
import { openSqliteBackend } from '@devs/store';
import { openScreen } from '@devs/terminals';
import { endHost } from '@devs/terminals/testing';
import { onTestFinished } from 'vitest';
import { openHostIn } from '../../host/open-host-in.js';
import type { TerminalNotice } from '../../notice.js';
import { superviseTerminal } from '../../supervise-terminal.js';
import type { SupervisedTerminal, SuperviseRequest } from '../../supervised-terminal.js';

/** After this it will never happen, on a machine of any load. */
const MAX_MS = 150_000;

/** A home, a project, a host, a store and a scripted model, for a real agent under supervision. */
export async function openScene() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-real-')));
  const [home, project, host] = ['home', 'project', 'host'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, project]) mkdirSync(path);
  const model = await startModelServer();
  const store = openStore({
    backend: openSqliteBackend({ file: join(folder, 'state.db') }),
    clock: Date,
    newId: randomUUID,
  });
  const notices: TerminalNotice[] = [];
  let terminal: SupervisedTerminal | undefined;
  const openHost = () => openHostIn({ folder: host, graceMs: 300 });
  onTestFinished(async () => {
    await terminal?.close();
    await endHost(host);
    await store.close();
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const supervise = async (
    driver: AgentDriver,
    changes: Partial<SuperviseRequest> & Pick<SuperviseRequest, 'place'>,
  ) => {
    const outcome = await superviseTerminal({
      name: 'real',
      driver,
      openHost,
      store,
      by: 'test',
      privateFolder: join(folder, 'private'),
      clock: Date,
      newId: randomUUID,
      timing: { leaseMs: 2_000 },
      onNotice: (notice) => notices.push(notice),
      ...changes,
    });
    if (outcome.status !== 'supervised') throw new Error(JSON.stringify(outcome));
    ({ terminal } = outcome);
    return outcome.terminal;
  };
  const until = async (what: string, isTrue: () => boolean) => {
    for (const deadline = Date.now() + MAX_MS; !isTrue(); await pause(25)) {
      if (Date.now() < deadline) continue;
      const events = (await store.log.read({ limit: 1_000 })).slice(-15);
      const told = events.map(({ type, data }) => `${type} ${JSON.stringify(data).slice(0, 200)}`);
      throw new Error(
        `never: ${what}\n${told.join('\n')}\n${JSON.stringify({ notices, status: terminal?.status() }, null, 1)}`,
      );
    }
  };
  const screen = async () => {
    const connected = await openHost();
    const opened = await openScreen({ host: connected, terminalId: 'real' });
    const text = opened.screen.text();
    await opened.close();
    connected.close();
    return text;
  };
  /** Right after a turn, or its start, it may still be drawing, and is not typed into. */
  const send = async (text: string) => {
    for (let tries = 0; ; tries++) {
      const outcome = await terminal?.send(text);
      if (outcome?.kind !== 'refused') return; // what is not confirmed in time is seen by what the model is asked
      if (tries === 30) throw new Error(`${text}: ${JSON.stringify(outcome)}\n${await screen()}`);
      await pause(100);
      await until('idle', () => terminal?.status().state?.activity === 'idle');
    }
  };
  return {
    folder,
    home,
    project,
    model,
    store,
    notices,
    supervise,
    until,
    send,
    untilIdle: () => until('idle', () => terminal?.status().state?.activity === 'idle'),
    /** As its user does it. */
    async press(keys: string) {
      const connected = await openHost();
      const [hosted] = await connected.list();
      if (hosted !== undefined) await connected.write(hosted, keys);
      connected.close();
    },
    screen,
    /** As long as the policy is asked a few times. */
    quiet: () => pause(2_500),
    /** What the agent that runs was started with. */
    async arguments() {
      const connected = await openHost();
      const [hosted] = await connected.list();
      connected.close();
      return { pid: hosted?.pid ?? 0, args: readFileSync(`/proc/${hosted?.pid}/cmdline`, 'utf8').split('\0') };
    },
    /** What this tool has answered so far, as the model was told. */
    toolResults: (tool: string) => {
      const results = model.requests().flatMap(({ messages }) => messages.flatMap((message) => message.results));
      const known = new Map(results.map((result) => [result.callId, result]));
      return [...known.values()].filter(({ name }) => name?.endsWith(tool)).map(({ text }) => text);
    },
    /** Also those in which it is not the last thing that was said. */
    requestsHolding: (text: string) =>
      model.requests().flatMap(({ body }) => (JSON.stringify(body).includes(text) ? [JSON.stringify(body)] : [])),
    requestsWith: (text: string) =>
      model
        .requests()
        .filter(({ prompt }) => prompt.includes(text))
        .map(({ body }) => JSON.stringify(body)),
  };
}

export const times = (text: string, part: string) => text.split(part).length - 1;

/** Claude Code's files in the home of an existing user. */
export function prepareClaude(home: string, project: string): void {
  writeFileSync(
    join(home, '.claude.json'),
    JSON.stringify({
      numStartups: 3,
      hasCompletedOnboarding: true,
      lastOnboardingVersion: '2.1.325',
      theme: 'dark',
      projects: { [project]: { allowedTools: [], hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    }),
  );
}

export function prepareCodex(home: string, project: string, modelUrl: string): void {
  mkdirSync(join(home, '.codex'));
  writeFileSync(
    join(home, '.codex', 'config.toml'),
    `model = "gpt-5.5-codex"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
model_context_window = 200000
developer_instructions = "WORDS OF THE USER"
[model_providers.fake]
name = "fake"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 1
stream_max_retries = 1
[projects."${project}"]
trust_level = "trusted"
[features]
plugins = false
apps = false
remote_plugin = false
daemon_auto_start = false
`,
  );
}
