import type { ConversationEntry } from '@devs/core/folds';
import { useEffect, useRef, useState } from 'react';
import { type ConversationItem, conversationItems, conversationsOf } from '../../fold/conversation.js';
import type { ProjectState } from '../../fold/project-fold.js';
import { Printed } from '../../parts/printed.js';
import { tokens } from '../../words/numbers.js';
import { tellingLine } from '../../words/telling-line.js';
import { clockTime, exactTime } from '../../words/time.js';
import { useConversation } from './use-conversation.js';
import { useScreens } from './use-screens.js';

interface ConversationProps {
  readonly name: string;
  readonly project: ProjectState | undefined;
  readonly isBusy: boolean;
}

/** What was said and done, the same for every agent, from the agent's own records. */
export default function Conversation({ name, project, isBusy }: ConversationProps) {
  const all = conversationsOf(project?.terminals.get(name) ?? []);
  const [chosen, setChosen] = useState<string>();
  const followed = useConversation({ terminal: name, project: project?.root, conversation: chosen });
  const worktree = worktreeOf(project, name);
  const items = followed.kind === 'known' ? conversationItems(followed.read.entries, followed.read.first) : [];
  const end = useRef<HTMLDivElement>(null);
  const count = items.length;
  useEffect(() => {
    // Who reads further up is left there.
    if (count > 0 && isNearEnd()) end.current?.scrollIntoView({ block: 'end' });
  }, [count]);
  return (
    <section className="conversation" aria-label="Conversation">
      {all.length < 2 ? null : (
        <p className="choices filters">
          {all.map(({ id, at }, index) => (
            <button
              type="button"
              key={id}
              aria-pressed={chosen === undefined ? index === all.length - 1 : id === chosen}
              onClick={() => setChosen(index === all.length - 1 ? undefined : id)}
            >
              {index === all.length - 1 ? 'now' : exactTime(at)}
            </button>
          ))}
        </p>
      )}
      {followed.kind === 'asking' && project !== undefined ? <p className="quiet">Loading …</p> : null}
      {followed.kind === 'problem' ? <p className="note">{followed.words}</p> : null}
      {project === undefined || (followed.kind === 'known' && count === 0) ? (
        <p className="quiet">
          {chosen === undefined
            ? 'The agent has recorded nothing yet. What is on its screen is under Terminal.'
            : 'There is no record of this conversation any more.'}
        </p>
      ) : null}
      {followed.kind === 'known' && followed.read.first > 0 ? (
        <p className="quiet">{followed.read.first.toLocaleString('en')} older entries are in the agent's own record.</p>
      ) : null}
      <ol>
        {items.map((item) => (
          <li key={item.key} data-kind={item.kind === 'called' ? 'call' : item.entry.kind}>
            {item.kind === 'called' ? <Called item={item} within={worktree} /> : <Said entry={item.entry} />}
          </li>
        ))}
      </ol>
      {isBusy && chosen === undefined ? <NowOnScreen name={name} /> : null}
      <div ref={end} />
    </section>
  );
}

/** Where the run of this terminal works: paths there are shown without it. */
function worktreeOf(project: ProjectState | undefined, terminal: string): string | undefined {
  const runs = [...(project?.runs.values() ?? [])];
  return runs.find(({ facts }) => facts.begun?.terminal === terminal)?.facts.worktree?.path;
}

const NEAR_PX = 400;
const isNearEnd = (): boolean => {
  const { scrollHeight } = document.documentElement;
  return scrollHeight - scrollY - innerHeight < NEAR_PX || scrollY === 0;
};

const LINES = 8;

/** What the agent writes at this moment is on its screen before it is in its record. */
function NowOnScreen({ name }: { readonly name: string }) {
  const rows = useScreens([name]).get(name) ?? [];
  const text = rows
    .map((row) => row.trimEnd())
    .filter((row) => row !== '')
    .slice(-LINES)
    .join('\n');
  return text === '' ? null : (
    <figure className="now">
      <figcaption className="quiet">at work, on its screen now</figcaption>
      <Printed label="Its screen now" className="rows">
        {text}
      </Printed>
    </figure>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  prompt: 'Prompt',
  text: 'Agent',
  thought: 'Thought',
  summary: 'Summary',
  note: 'Note',
};

const BOUNDARIES = {
  compacted: 'The agent compacted its context here.',
  cleared: 'The agent forgot everything before this.',
} as const;

const LONG = 600;

function Said({ entry }: { readonly entry: Extract<ConversationItem, { kind: 'said' }>['entry'] }) {
  if (entry.kind === 'usage') return <Usage entry={entry} />;
  if (!('text' in entry)) return <p className="boundary">{BOUNDARIES[entry.kind]}</p>;
  const isFolded = entry.kind === 'thought' || entry.kind === 'summary' || entry.kind === 'note';
  const title = NAMES[entry.kind] ?? entry.kind;
  if (isFolded || (entry.kind === 'prompt' && entry.text.length > LONG))
    return (
      <details>
        <summary>
          <b>{title}</b> <span className="clip">{tellingLine(entry.text)}</span>
          <At at={entry.at} />
        </summary>
        <p className="words">{entry.text}</p>
      </details>
    );
  return (
    <>
      <header>
        <b>{title}</b>
        <At at={entry.at} />
      </header>
      <p className="words">{entry.text}</p>
    </>
  );
}

const Usage = ({ entry }: { readonly entry: Extract<ConversationEntry, { kind: 'usage' }> }) => (
  <small className="quiet number">
    {tokens(entry.inputTokens)} in
    {entry.cachedTokens === undefined ? '' : ` (${tokens(entry.cachedTokens)} from the cache)`} ·{' '}
    {tokens(entry.outputTokens)} out
  </small>
);

const TONES = { ok: 'good', failed: 'bad', refused: 'warn' } as const;

interface CalledProps {
  readonly item: Extract<ConversationItem, { kind: 'called' }>;
  readonly within: string | undefined;
}

function Called({ item, within }: CalledProps) {
  const { call, result } = item;
  const short = (text: string) => (within === undefined ? text : text.replaceAll(`${within}/`, ''));
  return (
    <details open={call.changes.length > 0}>
      <summary>
        <span className="badge" data-tone={result === undefined ? 'busy' : TONES[result.outcome]}>
          {call.tool}
        </span>
        <code className="clip">{short(call.title)}</code>
        <At at={call.at} />
      </summary>
      {call.changes.map(({ path, removed, added }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes of a call that is over
        <Printed label={`Changes of ${short(path)}`} className="diff" key={index}>
          <span data-kind="place">{short(path)}</span>
          {[...removed.map((text) => ['removed', '-', text]), ...added.map((text) => ['added', '+', text])].map(
            ([kind, sign, text], line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that does not change
              <span key={line} data-kind={kind}>
                {sign}
                {text}
              </span>
            ),
          )}
        </Printed>
      ))}
      {result === undefined ? (
        <p className="quiet">No result yet.</p>
      ) : (
        <Printed label="Result" className="rows">
          {result.exitCode === undefined ? '' : `exit code ${result.exitCode}\n`}
          {result.text || 'It printed nothing.'}
        </Printed>
      )}
    </details>
  );
}

const At = ({ at }: { readonly at: string | undefined }) => {
  const time = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? null : <small className="quiet number">{clockTime(time)}</small>;
};
