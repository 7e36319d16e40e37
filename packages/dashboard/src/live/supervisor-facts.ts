import type { RunListing, Terminal } from '@devs/api';
import type { PressureMarks } from '@devs/core/folds';
import { marksOf } from '../fold/marks.js';
import { createCoalescer } from './coalesce.js';
import type { PageClient } from './page-client.js';

/** What no log says: who is supervised now, and what runs in terminals. */
export interface SupervisorFacts {
  /** Projects whose records can be read. */
  readonly projects: readonly string[];
  /** Projects whose records cannot be read, with the reason. */
  readonly problems: readonly { readonly root: string; readonly problem: string }[];
  readonly runs: ReadonlyMap<string, RunListing>;
  readonly terminals: readonly Terminal[];
  /** Where each project renews its agents, by its root; missing where its settings are not known. */
  readonly marks: ReadonlyMap<string, PressureMarks>;
}

/** Asks for it again and again, and when told that something has changed. */
export interface AskedFacts {
  /** `undefined` before the first answer. */
  readonly facts: SupervisorFacts | undefined;
  soon(): void;
  now(): void;
  /** Of a supervisor that may be another one: its settings may have changed, too. */
  anew(): void;
  close(): void;
}

interface FactsDeps {
  readonly client: PageClient;
  after(ms: number, task: () => void): () => void;
  onChange(): void;
}

const REFRESH_MS = 150;
const ASK_AGAIN_MS = 15_000;
const NONE: SupervisorFacts = { projects: [], problems: [], runs: new Map(), terminals: [], marks: new Map() };

export function askFacts({ client, after, onChange }: FactsDeps): AskedFacts {
  let facts: SupervisorFacts | undefined;
  let isClosed = false;
  const learn = (learnt: Partial<SupervisorFacts>) => {
    if (isClosed) return;
    facts = { ...(facts ?? NONE), ...learnt };
    onChange();
  };
  const learnMarks = async () => {
    const { projects = [], marks = NONE.marks } = facts ?? {};
    const known = await askMarks(
      client,
      projects.filter((root) => !marks.has(root)),
    );
    if (known.size > 0) learn({ marks: new Map([...(facts?.marks ?? []), ...known]) });
  };
  const ask = async () => {
    learn(await askOnce(client));
    await learnMarks();
  };
  const asking = createCoalescer({ ms: REFRESH_MS, after }, () => void ask().catch(() => {})); // tried again later
  let stop = () => {};
  const repeat = () => {
    asking.now();
    stop = after(ASK_AGAIN_MS, repeat);
  };
  repeat();
  return {
    get facts() {
      return facts;
    },
    soon: asking.soon,
    now: asking.now,
    anew() {
      if (facts !== undefined) facts = { ...facts, marks: NONE.marks };
      asking.now();
    },
    close() {
      isClosed = true;
      stop();
    },
  };
}

async function askOnce(client: PageClient): Promise<Omit<SupervisorFacts, 'marks'>> {
  const [{ projects }, { runs }, { terminals }] = await Promise.all([
    client.call('projects.list', {}),
    client.call('runs.list', { state: 'open' }),
    client.call('terminals.list', {}),
  ]);
  return {
    projects: projects.flatMap(({ root, problem }) => (problem === undefined ? [root] : [])),
    problems: projects.flatMap(({ root, problem }) => (problem === undefined ? [] : [{ root, problem }])),
    runs: new Map(runs.map((run) => [run.id, run as RunListing])),
    terminals: terminals as readonly Terminal[],
  };
}

/** Where the settings of a project cannot be read, the usual marks count. Never rejects. */
async function askMarks(client: PageClient, roots: readonly string[]): Promise<SupervisorFacts['marks']> {
  const asked = roots.map(async (root) => {
    const { settings } = await client.call('settings.get', { project: root });
    return [root, marksOf(settings)] as const;
  });
  const answers = await Promise.allSettled(asked);
  return new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])));
}
