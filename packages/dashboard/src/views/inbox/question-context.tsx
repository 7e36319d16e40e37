import type { Output } from '@devs/api';
import { type ReactNode, useState } from 'react';
import { type FailedAction, failedActions } from '../../fold/conversation.js';
import type { InboxItem } from '../../fold/inbox.js';
import { parseDiff } from '../../fold/parse-diff.js';
import { Printed } from '../../parts/printed.js';
import { useAsked } from '../../parts/use-asked.js';
import { clockTime } from '../../words/time.js';
import { DiffFiles } from '../run/diff-files.js';

type Question = Extract<InboxItem, { kind: 'question' }>;

/** The actions that failed, what the agent said last, and what changed since the last step that was done. */
export const QuestionContext = ({ item }: { readonly item: Question }) => (
  <>
    {item.terminal === undefined ? null : <FromRecord terminal={item.terminal} project={item.project} />}
    <Opened
      title={item.evidence.rightAt === undefined ? 'Changes of this run' : 'Changes since the last step was done'}
    >
      <Since item={item} />
    </Opened>
  </>
);

function Opened({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="evidence" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen ? children : null}
    </details>
  );
}

const MAX_FAILED = 3;

/** Read once: while the question is open, the agent waits. */
function FromRecord({ terminal, project }: { readonly terminal: string; readonly project: string }) {
  const asked = useAsked('terminals.conversation', { terminal, project });
  if (asked.kind === 'asking') return <p className="quiet">Reading the agent's own record …</p>;
  if (asked.kind === 'problem') return <p className="quiet">{asked.words}</p>;
  const failed = failedActions(asked.value.entries, MAX_FAILED);
  return (
    <>
      {failed.length === 0 ? null : (
        <details className="evidence" open>
          <summary>{failed.length === 1 ? 'The action that failed' : `The last ${failed.length} that failed`}</summary>
          <div className="beside">
            {failed.map((action) => (
              <Failed key={action.key} action={action} />
            ))}
          </div>
        </details>
      )}
      <details className="evidence" open>
        <summary>The agent's last words</summary>
        <p className="diagnosis">{lastSaid(asked.value.entries) ?? 'It has said nothing yet.'}</p>
      </details>
    </>
  );
}

const Failed = ({ action: { call, result } }: { readonly action: FailedAction }) => (
  <figure>
    <figcaption>
      <code>{call.title}</code>
      <small className="quiet number">
        {call.at === undefined ? '' : clockTime(Date.parse(call.at))}
        {result.exitCode === undefined ? '' : ` · exit code ${result.exitCode}`}
      </small>
    </figcaption>
    <Printed label="What it printed" className="wraps">
      {result.text.replace(EXIT_CODE, '') || 'It printed nothing.'}
    </Printed>
  </figure>
);

/** Some agents write it above what was printed. */
const EXIT_CODE = /^exit code \d+\n/i;

const lastSaid = (entries: Output<'terminals.conversation'>['entries']): string | undefined =>
  entries.flatMap((entry) => (entry.kind === 'text' || entry.kind === 'thought' ? [entry.text] : [])).at(-1);

function Since({ item: { run, project, evidence } }: { readonly item: Question }) {
  const { rightAt } = evidence;
  const asked = useAsked('runs.diff', { run, project, ...(rightAt === undefined ? {} : { from: rightAt }) });
  if (asked.kind === 'asking') return <p className="quiet">Loading …</p>;
  if (asked.kind === 'problem') return <p className="quiet">{asked.words}</p>;
  return <DiffFiles files={parseDiff(asked.value.text)} />;
}
