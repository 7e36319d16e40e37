import { terminalsOfRun } from '@devs/core/folds';
import { conversationsOf } from '../../fold/conversation.js';
import { promptsOf, timelineOf } from '../../fold/timeline.js';
import { useAsked } from '../../parts/use-asked.js';
import { tellingLine } from '../../words/telling-line.js';
import { clockTime, exactTime } from '../../words/time.js';
import type { RunProps } from './run-page.js';

/** The exact words that went to the agent: those that devs typed, and all that the agent's own records have. */
export function PromptsPart({ run, project }: RunProps) {
  const typed = promptsOf(timelineOf(run, project)).toReversed();
  const recorded = terminalsOfRun(run.events)
    .flatMap((terminal) => conversationsOf(project.terminals.get(terminal) ?? []).map((one) => ({ ...one, terminal })))
    .toReversed();
  return (
    <>
      {recorded.map(({ id, at, terminal }) => (
        <Recorded key={id} conversation={id} at={at} terminal={terminal} project={project.root} />
      ))}
      {recorded.length > 0 ? null : <p className="quiet">No conversation of this run is known yet.</p>}
      {typed.length === 0 ? null : (
        <section aria-labelledby="typed" className="prompts">
          <h2 id="typed">Sent by devs</h2>
          {typed.map(({ position, at, prompt }) => (
            <PromptText key={position} at={clockTime(at)} text={prompt} />
          ))}
        </section>
      )}
    </>
  );
}

interface RecordedProps {
  readonly conversation: string;
  readonly at: number;
  readonly terminal: string;
  readonly project: string;
}

function Recorded({ conversation, at, terminal, project }: RecordedProps) {
  const asked = useAsked('terminals.conversation', { terminal, project, conversation });
  return (
    <section aria-label={`Conversation of ${exactTime(at)}`} className="prompts">
      <h2>Conversation that began {exactTime(at)}</h2>
      {asked.kind === 'asking' ? <p className="quiet">Loading …</p> : null}
      {asked.kind === 'problem' ? <p className="note">{asked.words}</p> : null}
      {asked.kind === 'known' ? <Prompts entries={asked.value.entries} first={asked.value.first} /> : null}
    </section>
  );
}

type Entries = readonly {
  readonly kind: string;
  readonly text?: string | undefined;
  readonly at?: string | undefined;
}[];

function Prompts({ entries, first }: { readonly entries: Entries; readonly first: number }) {
  const prompts = entries.flatMap(({ kind, text = '', at }, index) =>
    kind === 'prompt' ? [{ key: first + index, text, at }] : [],
  );
  return (
    <>
      {first > 0 ? <p className="quiet">Older prompts are in the agent's own record.</p> : null}
      {prompts.length === 0 ? <p className="quiet">The record has no prompt.</p> : null}
      {prompts.toReversed().map(({ key, text, at }) => (
        <PromptText key={key} at={at === undefined ? '' : clockTime(Date.parse(at))} text={text} />
      ))}
    </>
  );
}

const PromptText = ({ at, text }: { readonly at: string; readonly text: string }) => (
  <details>
    <summary>
      <span className="number">{at}</span>
      <span className="clip">{tellingLine(text)}</span>
      <small className="quiet number">{text.length.toLocaleString('en')} characters</small>
    </summary>
    <pre className="wraps">{text}</pre>
  </details>
);
