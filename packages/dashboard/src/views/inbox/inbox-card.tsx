import { useState } from 'react';
import { Link } from 'wouter';
import { choicesIn, dialogLine, type Evidence, type InboxItem, keysIn, withoutChoices } from '../../fold/inbox.js';
import { Coded } from '../../parts/coded.js';
import { usePage, usePageState } from '../../parts/page-context.js';
import { Printed } from '../../parts/printed.js';
import { useAction } from '../../parts/use-action.js';
import { baseName, dollars, tokens } from '../../words/numbers.js';
import { clockTime, dayTime, span } from '../../words/time.js';
import { continueRun } from './continue-run.js';
import { QuestionContext } from './question-context.js';

interface CardProps<Item> {
  readonly item: Item;
  readonly now: number;
  /** With the evidence opened. */
  readonly isWhole?: boolean;
}

/** One thing that needs the user, with what they can do about it. */
export const InboxCard = ({ item, ...rest }: CardProps<InboxItem>) =>
  item.kind === 'question' ? <QuestionCard item={item} {...rest} /> : <WaitingCard item={item} {...rest} />;

type Question = Extract<InboxItem, { kind: 'question' }>;
type Waiting = Extract<InboxItem, { kind: 'terminal' }>;

function QuestionCard({ item, now, isWhole = false }: CardProps<Question>) {
  return (
    <article className="card call" data-question={item.id}>
      <header>
        <span className="badge" data-tone="call">
          question
        </span>
        <Link className="quiet clip" href={`/runs/${encodeURIComponent(item.run)}`}>
          {baseName(item.project)} · {item.request}
        </Link>
        <small className="quiet number">{span(now - item.at)}</small>
      </header>
      <h3 className="question">{item.question}</h3>
      <Diagnosis diagnosis={item.diagnosis} />
      {item.frees.length === 0 ? null : (
        <p className="note">Your answer also sets free what waits for this task: {item.frees.join(', ')}.</p>
      )}
      {isWhole ? (
        <>
          <EvidenceView item={item} />
          <QuestionContext item={item} />
        </>
      ) : null}
      {item.unseen === undefined ? null : (
        <p className="note" data-tone="warn">
          Your answer was {item.unseen.isTyped ? 'typed and not seen' : 'not typed'}: {item.unseen.why}
        </p>
      )}
      {item.answer === undefined ? <AnswerBox item={item} isWhole={isWhole} /> : <OnItsWay answer={item.answer} />}
    </article>
  );
}

/** What a dialog asks first; the rest of its screen is folded. */
function Diagnosis({ diagnosis }: { readonly diagnosis: string }) {
  const asked = dialogLine(diagnosis);
  if (diagnosis === '') return null;
  if (asked === undefined) return <Coded className="diagnosis" text={withoutChoices(diagnosis)} />;
  return (
    <>
      <p>
        <code>{asked.replace(/\s*\[\w\]\w* \/ .*$/, '')}</code>
      </p>
      <details className="evidence">
        <summary>What its screen shows</summary>
        <Printed label="Its screen" className="rows">
          {diagnosis}
        </Printed>
      </details>
    </>
  );
}

const OnItsWay = ({ answer }: { readonly answer: string }) => (
  <p className="note" data-tone="busy">
    Stored, and on its way to the agent: “{answer}”
  </p>
);

interface AnswerBoxProps {
  readonly item: Question;
  /** With the box for words; without it, a button opens the box. */
  readonly isWhole: boolean;
}

function AnswerBox({ item, isWhole }: AnswerBoxProps) {
  const { store, session } = usePage();
  const { past } = usePageState();
  const action = useAction();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(isWhole);
  if (session.scope() === 'viewer' || past !== undefined) return null;
  const takesKeys = keysIn(item.diagnosis).length > 1;
  const takesWords = isOpen && !takesKeys;
  const answer = (words: string) =>
    void action.run(async () => {
      await store.client.call('questions.answer', { question: item.id, project: item.project, answer: words });
      setText('');
      return continueRun(store, { run: item.run, project: item.project });
    });
  return (
    <form
      className="answer"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') answer(text.trim());
      }}
    >
      <textarea
        hidden={!takesWords}
        aria-label="Your answer"
        placeholder="Your answer, in your own words"
        rows={2}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <div className={isOpen ? 'choices' : 'choices small'}>
        <button type="submit" className="primary" hidden={!takesWords} disabled={action.isBusy || text.trim() === ''}>
          Answer
        </button>
        <DialogAnswers item={item} />
        {offered(item).map(({ words, label, price }) => (
          <button type="button" key={label} disabled={action.isBusy} onClick={() => answer(words)}>
            {label} <small>{price}</small>
          </button>
        ))}
        <button type="button" hidden={isOpen || takesKeys} onClick={() => setOpen(true)}>
          Answer in words
        </button>
        {isOpen ? <StopRun run={item.run} /> : null}
      </div>
    </form>
  );
}

/** A dialog on the agent's screen takes keys, and no words. */
function DialogAnswers({ item }: { readonly item: Question }) {
  const { store } = usePage();
  const action = useAction();
  const { terminal } = item;
  if (terminal === undefined) return null;
  const press = (keys: string) =>
    void action.run(async () => {
      const { outcome } = await store.client.call('terminals.keys', { terminal, keys });
      if (outcome !== 'written') throw new Error(`Not typed: ${outcome}`);
      return 'Pressed in the terminal of the agent.';
    });
  return keysIn(item.diagnosis).map(({ key, label }) => (
    <button type="button" key={key} disabled={action.isBusy} onClick={() => press(key)}>
      {label}
    </button>
  ));
}

interface Offered {
  readonly words: string;
  readonly label: string;
  /** What it costs. */
  readonly price: string;
}

/** The choices of the agent's own dialog, which cost nothing by themselves, or the usual ones. */
function offered({ diagnosis, spent }: Question): readonly Offered[] {
  const choices = choicesIn(diagnosis);
  if (keysIn(diagnosis).length > 1) return [];
  if (choices.length > 1) return choices.map(({ key, label }) => ({ words: key, label, price: '' }));
  return [
    { words: 'Try again, in another way than before.', label: 'Try another way', price: priceOf(spent) },
    {
      words: 'Decide yourself, and say in your result what you decided.',
      label: 'Decide yourself',
      price: 'no further try',
    },
  ];
}

/** Another try costs about as much as this one did so far. */
function priceOf(spent: Question['spent']): string {
  if (spent === undefined || spent.tokens === 0) return 'one more try';
  return `about ${spent.costUsd === undefined ? `${tokens(spent.tokens)} tokens` : dollars(spent.costUsd)}`;
}

function StopRun({ run }: { readonly run: string }) {
  const { store } = usePage();
  const action = useAction();
  const stop = () =>
    void action.run(async () => {
      const { status } = await store.client.call('runs.stop', { run });
      return status === 'stopped' ? 'The run is stopped. Its work is kept.' : 'It was not running.';
    });
  return (
    <button type="button" disabled={action.isBusy} onClick={stop}>
      Stop the run <small>its work is kept</small>
    </button>
  );
}

const HEADINGS: Readonly<Record<string, string>> = {
  'same-action': 'The same action failed again and again',
  'same-error': 'The same error came again and again',
  'no-progress': 'Nothing came of it',
};

function EvidenceView({ item }: { readonly item: Question }) {
  const { stuck, failedSteps, failedChecks }: Evidence = item.evidence;
  const isSaid = (detail: string) => item.diagnosis.toLowerCase().includes(detail.toLowerCase());
  const all = [
    ...stuck
      .filter(({ detail }) => !isSaid(detail))
      .map(({ at, kind, detail }) => ({ at, title: HEADINGS[kind] ?? kind, text: detail })),
    ...failedSteps.map(({ at, step, reason }) => ({ at, title: `${step} failed`, text: reason })),
    ...failedChecks.map(({ at, command, tail }) => ({ at, title: `${command} failed`, text: tail })),
  ].sort((a, b) => a.at - b.at);
  if (all.length === 0) return null;
  return (
    <details className="evidence" open>
      <summary>Evidence ({all.length})</summary>
      <div className="beside">
        {all.map(({ at, title, text }) => (
          <figure key={`${at} ${title}`}>
            <figcaption>
              {title} <small className="quiet">{clockTime(at)}</small>
            </figcaption>
            <Printed label={title}>{text}</Printed>
          </figure>
        ))}
      </div>
    </details>
  );
}

const NEEDS: Readonly<Record<string, string>> = {
  waiting: 'waits for an answer',
  parked: 'waits for the provider',
  crashed: 'crashed',
  arguments: 'must be started by hand',
};

const WaitingCard = ({ item }: CardProps<Waiting>) => (
  <article className="card call" data-terminal={item.terminal}>
    <header>
      <span className="badge" data-tone="call">
        {item.need === 'waiting' ? 'permission' : item.need}
      </span>
      <span className="quiet clip">
        {item.terminal} {NEEDS[item.need] ?? item.need}
        {item.until === undefined ? '' : ` until ${dayTime(item.until)}`}
      </span>
    </header>
    <h3 className="question">{item.detail}</h3>
    {item.screen === undefined ? null : (
      <Printed label="Its screen" className="rows">
        {item.screen}
      </Printed>
    )}
    {item.need === 'waiting' ? <DialogKeys terminal={item.terminal} /> : null}
    <p className="choices">
      <Link href={`/terminals/${encodeURIComponent(item.terminal)}`}>Open the terminal</Link>
      {item.run === undefined ? null : <Link href={`/runs/${encodeURIComponent(item.run)}`}>Open the run</Link>}
    </p>
  </article>
);

/** The keys that dialogs of agents take. What each does stands on the screen above. */
const KEYS: readonly (readonly [string, string])[] = [
  ['1', '1'],
  ['2', '2'],
  ['3', '3'],
  ['Enter', '\r'],
  ['Esc', '\u001b'],
];

function DialogKeys({ terminal }: { readonly terminal: string }) {
  const { store, session } = usePage();
  const action = useAction();
  if (session.scope() === 'viewer') return null;
  const press = (keys: string) =>
    void action.run(async () => {
      const { outcome } = await store.client.call('terminals.keys', { terminal, keys });
      return outcome === 'written' ? undefined : `Not typed: ${outcome}`;
    });
  return (
    <p className="choices">
      <span className="quiet">Press</span>
      {KEYS.map(([name, keys]) => (
        <button type="button" key={name} disabled={action.isBusy} onClick={() => press(keys)}>
          {name}
        </button>
      ))}
    </p>
  );
}
