import { type PicturePart, workflowPicture } from '../../fold/workflow-picture.js';
import { Printed } from '../../parts/printed.js';
import type { RunProps } from './run-page.js';

/** The workflow as a picture: steps, rounds and tasks, where it is, and what each has produced. */
export function WorkflowPart({ run }: RunProps) {
  if (run.workflow === undefined) return <p className="quiet">The workflow of this run cannot be read.</p>;
  const parts = workflowPicture(run.workflow);
  return (
    <section aria-labelledby="workflow">
      <h2 id="workflow">Workflow {run.workflow.template.name}</h2>
      <ol className="flow">
        {parts.map((part) => (
          <li key={part.id} data-state={part.state} aria-current={part.state === 'now' ? 'step' : undefined}>
            <StepBox part={part} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const WORDS = { done: 'done', now: 'now', open: 'to do', failed: 'failed', skipped: 'skipped' } as const;

const StepBox = ({ part }: { readonly part: PicturePart }) => (
  <>
    <header>
      <strong>{part.id}</strong>
      <small className="quiet">{WORDS[part.state]}</small>
    </header>
    {part.context === undefined ? null : <small className="chip">/{part.context} first</small>}
    {part.rounds === undefined ? null : (
      <small className="rounds">
        {Array.from({ length: part.rounds.of }, (_, round) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: rounds have no other name
            key={round}
            data-done={round < (part.rounds?.now ?? 0)}
          />
        ))}
        round {part.rounds.now} of {part.rounds.of}
      </small>
    )}
    {part.tasks === undefined ? null : <LoopTasks tasks={part.tasks} />}
    {part.output === undefined ? null : (
      <details>
        <summary>Result</summary>
        <Printed label={`Result of ${part.id}`}>{part.output}</Printed>
      </details>
    )}
  </>
);

type TaskSteps = NonNullable<PicturePart['tasks']>[number]['steps'];

/** What each step of a task has produced. */
function TaskResults({ steps }: { readonly steps: TaskSteps }) {
  const ended = steps.filter(({ output }) => output !== undefined);
  return ended.length === 0 ? null : (
    <details>
      <summary>{ended.length === 1 ? 'Result' : `${ended.length} results`}</summary>
      {ended.map(({ id, output }) => (
        <div key={id}>
          <small className="quiet">{id}</small>
          <Printed label={`Result of ${id}`}>{output}</Printed>
        </div>
      ))}
    </details>
  );
}

const LoopTasks = ({ tasks }: { readonly tasks: NonNullable<PicturePart['tasks']> }) =>
  tasks.length === 0 ? (
    <small className="quiet">tasks are not set yet</small>
  ) : (
    <ul className="loop">
      {tasks.map(({ id, title, state, steps }) => (
        <li key={id} data-state={state}>
          <span className="clip" title={title}>
            {title}
          </span>
          <span className="dots">
            {steps.map((step) => (
              <i key={step.id} data-state={step.state} title={`${step.id}: ${WORDS[step.state]}`} />
            ))}
          </span>
          <TaskResults steps={steps} />
        </li>
      ))}
    </ul>
  );
