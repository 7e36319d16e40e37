import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentEvent, openStore } from '@devs/core';
import { until as untilTrue } from '@devs/core/testing';
import { type BuiltinRecord, createBuiltinDriver } from '@devs/drivers';
import { openSqliteBackend } from '@devs/store';
import {
  openHostIn,
  type SupervisedTerminal,
  type SuperviseRequest,
  superviseTerminal,
  type TerminalNotice,
} from '@devs/supervisor';
import { endHost } from '@devs/terminals/testing';
import { onTestFinished } from 'vitest';
import { DEVS } from '../../__tests__/run-devs.js';

/** The model's answer: one action. */
export const envelope = (tool: string, args: object, reasoning = 'So be it.'): string =>
  JSON.stringify({
    schema_version: '1.0',
    turn_index: 0,
    agent_id: 'builtin',
    phase: 'work',
    thought: { reasoning, plan: [] },
    action: { tool_name: tool, arguments: args },
  });
export const endTurn = (message: string) => envelope('end_turn', { message });

export interface Rule {
  readonly when: object;
  readonly reply: readonly object[];
  readonly times?: number;
}

/** A project, a store and a host for one test, with the built-in agent in real terminals on a scripted model. */
export async function openBuiltinWorld(rules: readonly Rule[], { window = 100_000 } = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-builtin-')));
  const place = (name: string) => join(folder, name);
  for (const name of ['project', 'home']) mkdirSync(place(name));
  const scenario = place('scenario.json');
  writeFileSync(scenario, JSON.stringify({ window: 2 * window, rules, default: endTurn('Going on.') }));
  const store = openStore({ backend: openSqliteBackend({ file: place('state.db') }), clock: Date, newId: randomUUID });
  const agentHome = place('agent');
  const notices: TerminalNotice[] = [];
  const events: AgentEvent[] = [];
  const open: SupervisedTerminal[] = [];
  onTestFinished(async () => {
    for (const terminal of open) await terminal.close();
    await endHost(place('host'));
    await store.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const until = (what: string, isTrue: () => boolean | Promise<boolean>) =>
    untilTrue(
      isTrue,
      () => `${what}\n${JSON.stringify(notices.slice(-8))}\n${JSON.stringify(events.slice(-8)).slice(0, 3_000)}`,
    );
  /** All lines of all transcripts, in the order of their times. */
  const records = (): readonly BuiltinRecord[] => {
    const names = existsSync(agentHome) ? readdirSync(agentHome, { recursive: true, encoding: 'utf8' }) : [];
    return names
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(agentHome, name), 'utf8').split('\n'))
      .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as BuiltinRecord] : []))
      .toSorted((a, b) => a.at.localeCompare(b.at));
  };
  const request = (args: readonly string[], changes: Partial<SuperviseRequest>): SuperviseRequest => ({
    name: 'builtin',
    driver: createBuiltinDriver({ clock: Date, everyMs: 50, version: '1', command: [process.execPath, DEVS, 'agent'] }),
    openHost: () => openHostIn({ folder: place('host') }),
    store,
    by: 'test',
    place: {
      folder: place('project'),
      home: place('home'),
      env: { PATH: process.env.PATH, TERM: 'xterm-256color', DEVS_AGENT_HOME: agentHome },
    },
    launch: { userArgs: ['--scenario', scenario, '--window', String(window), ...args] },
    privateFolder: place('private'),
    size: { columns: 100, rows: 30 },
    clock: Date,
    newId: randomUUID,
    timing: { graceMs: 1_000, confirmMs: 60_000, actionMs: 60_000, considerMs: 100, leaseMs: 60_000, pollMs: 20 },
    onNotice: (notice) => notices.push(notice),
    onAgentEvent: (event) => events.push(event),
    ...changes,
  });
  return {
    project: place('project'),
    agentHome,
    store,
    notices,
    events,
    records,
    until,
    of: <Type extends BuiltinRecord['type']>(type: Type) =>
      records().filter((record): record is Extract<BuiltinRecord, { type: Type }> => record.type === type),
    async supervise(args: readonly string[] = ['--permissions', 'allow'], changes: Partial<SuperviseRequest> = {}) {
      const outcome = await superviseTerminal(request(args, changes));
      if (outcome.status !== 'supervised') throw new Error(JSON.stringify(outcome));
      open.push(outcome.terminal);
      await until('it is there', () => outcome.terminal.status().state?.activity !== 'starting');
      return outcome.terminal;
    },
    /** Sends a prompt, and waits until the agent has ended its turn. */
    async say(terminal: SupervisedTerminal, text: string) {
      await until(`idle before ${text}`, isIdle(terminal));
      const ends = () => events.filter(({ type }) => type === 'turn.ended').length;
      const before = ends();
      const outcome = await terminal.send(text);
      if (outcome.kind !== 'delivered') throw new Error(`${text}: ${JSON.stringify(outcome)}`);
      await until(`the end of ${text}`, () => ends() > before);
      await until(`idle after ${text}`, isIdle(terminal));
    },
  };
}

export const isIdle = (terminal: SupervisedTerminal) => () => terminal.status().state?.activity === 'idle';
