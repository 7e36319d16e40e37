import type { Terminal } from '@devs/api';
import type { TerminalHost } from '@devs/terminals';
import type { ServedSupervisor, SupervisedChange, SupervisedNotice } from '../served-supervisor.js';

/** A supervisor that supervises nothing and remembers its calls. */
export interface FakeSupervisor extends ServedSupervisor {
  readonly asked: { readonly operation: string; readonly input: unknown; readonly by: string }[];
  readonly users: { readonly terminal: string; readonly attached?: boolean; readonly typed?: boolean }[];
  notify(notice: SupervisedNotice): void;
  change(change: SupervisedChange): void;
}

const someTerminal = (name: string): Terminal => ({
  name,
  agent: 'claude',
  folder: '/shop',
  activity: 'idle',
  isRenewing: false,
  renewals: 0,
  contextRefreshCount: 0,
  contextRefreshState: null,
  isSupervised: true,
  isAttended: false,
});

export function createFakeSupervisor({
  terminals = [],
  runs = {},
  host = async () => {
    throw new Error('this test has no host');
  },
}: {
  readonly terminals?: readonly string[];
  /** By terminal. */
  readonly runs?: Readonly<Record<string, string>>;
  readonly host?: () => Promise<TerminalHost>;
} = {}): FakeSupervisor {
  const asked: FakeSupervisor['asked'] = [];
  const users: FakeSupervisor['users'] = [];
  const notices = new Set<(notice: SupervisedNotice) => void>();
  const changes = new Set<(change: SupervisedChange) => void>();
  const handlers = new Proxy({} as ServedSupervisor['handlers'], {
    ownKeys: () => Object.keys(ANSWERS),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get:
      (_, operation: string) =>
      async (input: unknown, { identity }: { identity: { name: string } }) => {
        asked.push({ operation, input, by: identity.name });
        return operation === 'terminals.list' ? { terminals: terminals.map(someTerminal) } : ANSWERS[operation];
      },
  });
  return {
    asked,
    users,
    handlers,
    host,
    runOf: (terminal) => runs[terminal],
    user: (terminal, is) => void users.push({ terminal, ...is }),
    onNotice(listener) {
      notices.add(listener);
      return () => void notices.delete(listener);
    },
    onChange(listener) {
      changes.add(listener);
      return () => void changes.delete(listener);
    },
    notify: (notice) => notices.forEach((listener) => void listener(notice)),
    change: (change) => changes.forEach((listener) => void listener(change)),
  };
}

const ANSWERS: Readonly<Record<string, unknown>> = {
  'status.get': { version: '1', pid: 1, startedAt: 0, keeps: 'while-busy', runs: [], terminals: [], problems: [] },
  'supervisor.keep': { status: 'done' },
  'supervisor.shutdown': { status: 'done' },
  'runs.start': { status: 'started', run: 'new' },
  'runs.stop': { status: 'stopped' },
  'runs.resume': { status: 'started', run: 'again' },
  'runs.merge': { outcome: 'nothing-to-merge' },
  'terminals.list': undefined,
  'terminals.send': { kind: 'delivered', enters: 1 },
  'terminals.interrupt': { kind: 'seen' },
  'terminals.stop': { name: 'shop', wasRunning: true, ended: [], left: [] },
};
