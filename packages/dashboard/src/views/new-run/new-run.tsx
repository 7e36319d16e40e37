import { useState } from 'react';
import { useLocation } from 'wouter';
import type { PageClient } from '../../live/page-client.js';
import { usePage } from '../../parts/page-context.js';
import { ProjectChoice, useProject } from '../../parts/project-choice.js';
import { useAction } from '../../parts/use-action.js';
import { useAsked } from '../../parts/use-asked.js';
import { tellingLine } from '../../words/telling-line.js';

/** A request, a workflow and an agent, with the steps that will be taken. */
export default function NewRun() {
  const { session } = usePage();
  const choice = useProject();
  if (session.scope() === 'viewer') return <p className="note">This link is for looking: it starts nothing.</p>;
  return (
    <>
      <div className="head">
        <h1>New run</h1>
        <ProjectChoice {...choice} />
      </div>
      <RunForm project={choice.project?.root} />
    </>
  );
}

interface Order {
  readonly request: string;
  /** Empty: the project's usual one. */
  readonly workflow: string;
  readonly agent: string;
  readonly merge: boolean;
}

const NOTHING: Order = { request: '', workflow: '', agent: '', merge: false };

function RunForm({ project }: { readonly project: string | undefined }) {
  const { store } = usePage();
  const [, navigate] = useLocation();
  const action = useAction();
  const [order, setOrder] = useState(NOTHING);
  const change = (changed: Partial<Order>) => setOrder({ ...order, ...changed });
  const { usual, ownAgents, workflows, steps } = useOffer(project, order.workflow);
  const isReady = order.request.trim() !== '' && project !== undefined;
  const start = async () => {
    const run = await startRun(store.client, project ?? '', order);
    navigate(`/runs/${run}`);
    return `Started ${run}.`;
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void action.run(start);
      }}
    >
      <label>
        What to do
        <textarea
          rows={4}
          value={order.request}
          placeholder="Add a cart to the shop"
          onChange={({ target }) => change({ request: target.value })}
        />
      </label>
      <WorkflowField
        value={order.workflow}
        usual={usual('workflow')}
        workflows={workflows}
        onChange={(workflow) => change({ workflow })}
      />
      {steps.length === 0 ? null : (
        <ol className="preview" aria-label="Steps">
          {steps.map(({ id, times, about }) => (
            <li key={id}>
              <b>{id}</b> {times === '' ? null : <small className="chip">{times}</small>}{' '}
              <span className="quiet">{about}</span>
            </li>
          ))}
        </ol>
      )}
      <AgentField value={order.agent} usual={usual('agent')} own={ownAgents} onChange={(agent) => change({ agent })} />
      <label className="check-line">
        <input type="checkbox" checked={order.merge} onChange={({ target }) => change({ merge: target.checked })} />
        Merge when the checks pass
      </label>
      <p className="choices">
        <button type="submit" className="primary" disabled={action.isBusy || !isReady}>
          Start
        </button>
        <span className="quiet">It works in a branch and a worktree of its own.</span>
      </p>
    </form>
  );
}

interface FieldProps {
  readonly value: string;
  readonly usual: string;
  onChange(value: string): void;
}

interface Workflow {
  readonly name: string;
  readonly description?: string | undefined;
}

/** `workflows` is missing where they cannot be listed: then a name is typed. */
const WorkflowField = ({
  value,
  usual,
  workflows,
  onChange,
}: FieldProps & { readonly workflows: readonly Workflow[] | undefined }) => (
  <div className="field">
    <label htmlFor="workflow">Workflow</label>
    {workflows === undefined ? (
      <input
        id="workflow"
        value={value}
        placeholder="the project's usual one"
        onChange={({ target }) => onChange(target.value)}
      />
    ) : (
      <select id="workflow" value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{usualOne(usual)}</option>
        {workflows.map(({ name, description }) => (
          <option key={name} value={name}>
            {name}
            {description === undefined ? '' : `: ${description}`}
          </option>
        ))}
      </select>
    )}
  </div>
);

const AGENTS: readonly (readonly [string, string])[] = [
  ['claude', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini CLI'],
  ['opencode', 'opencode'],
  ['builtin', 'built-in'],
];

const AgentField = ({ value, usual, own, onChange }: FieldProps & { readonly own: readonly string[] }) => (
  <label>
    Agent
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{usualOne(usual)}</option>
      {[...AGENTS, ...own.map((name) => [name, name] as const)].map(([name, title]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  </label>
);

/** What the project offers, and the steps of the chosen workflow. */
function useOffer(project: string | undefined, workflow: string) {
  const of = project === undefined ? undefined : { project };
  const listed = useAsked('workflows.list', of);
  const asked = useAsked('settings.get', of);
  const settings = asked.kind === 'known' ? asked.value.settings : [];
  const usual = (key: string): string => {
    const value = settings.find((one) => one.key === key)?.value;
    return typeof value === 'string' ? value : '';
  };
  const named = workflow || usual('workflow');
  const preview = useAsked('workflows.get', of === undefined || named === '' ? undefined : { ...of, workflow: named });
  return {
    usual,
    ownAgents: ownAgents(settings),
    workflows: listed.kind === 'known' ? listed.value.workflows : undefined,
    steps: preview.kind === 'known' ? stepsOf(preview.value.template) : [],
  };
}

/** Gives its id; throws with what the user can do where it is not started. */
async function startRun(client: PageClient, project: string, order: Order): Promise<string> {
  const { request, workflow, agent, merge } = order;
  const outcome = await client.call('runs.start', {
    run: {
      kind: 'asked',
      project,
      request: request.trim(),
      ...(workflow === '' ? {} : { workflow }),
      ...(agent === '' ? {} : { agent }),
      ...(merge ? { merge } : {}),
    },
  });
  if (outcome.status === 'started') return outcome.run;
  throw new Error('reason' in outcome ? `${outcome.reason}. ${outcome.advice}` : `Not started: ${outcome.status}`);
}

const OWN = 'agents.';

/** The agents that the settings add. */
const ownAgents = (settings: readonly { readonly key: string }[]): readonly string[] =>
  settings.flatMap(({ key }) => (key.startsWith(OWN) ? [key.slice(OWN.length)] : []));

const usualOne = (name: string): string => `the project's usual one${name === '' ? '' : `: ${name}`}`;

interface PlannedStep {
  readonly id: string;
  /** How often it is taken, where that is not once. */
  readonly times: string;
  readonly about: string;
}

interface StepInTemplate {
  readonly id?: string;
  readonly type?: string;
  readonly n?: number;
  readonly instructions?: string;
}

function stepsOf(template: unknown): readonly PlannedStep[] {
  const { steps = [] } = (template ?? {}) as { readonly steps?: readonly StepInTemplate[] };
  return steps.map(({ id = '', type, n = 1, instructions = '' }) => ({
    id,
    times: type === 'loop' ? 'for each task' : type === 'ralph' ? `${n} rounds` : '',
    about: /^[^.]*\.?/.exec(tellingLine(instructions))?.[0] ?? '',
  }));
}
