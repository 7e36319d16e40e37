import { useState } from 'react';
import { useLocation } from 'wouter';
import { usePage } from '../../parts/page-context.js';
import { ProjectChoice, useProject } from '../../parts/project-choice.js';
import { useAction } from '../../parts/use-action.js';
import { useAsked } from '../../parts/use-asked.js';

/** A request, a workflow and an agent, with the steps that will be taken. */
export default function NewRun() {
  const { store, session } = usePage();
  const [, navigate] = useLocation();
  const action = useAction();
  const choice = useProject();
  const [request, setRequest] = useState('');
  const [workflow, setWorkflow] = useState('');
  const [agent, setAgent] = useState('');
  const [merge, setMerge] = useState(false);
  const project = choice.project?.root;
  const listed = useAsked('workflows.list', project === undefined ? undefined : { project });
  const settings = useAsked('settings.get', project === undefined ? undefined : { project });
  const usual = (key: string): string => {
    const value = settings.kind === 'known' ? settings.value.settings.find((one) => one.key === key)?.value : undefined;
    return typeof value === 'string' ? value : '';
  };
  const own = settings.kind === 'known' ? ownAgents(settings.value.settings) : [];
  const named = workflow || usual('workflow');
  const preview = useAsked(
    'workflows.get',
    project === undefined || named === '' ? undefined : { project, workflow: named },
  );
  if (session.scope() === 'viewer') return <p className="note">This link is for looking: it starts nothing.</p>;
  const start = () =>
    void action.run(async () => {
      const outcome = await store.client.call('runs.start', {
        run: {
          kind: 'asked',
          project: project ?? '',
          request: request.trim(),
          ...(workflow === '' ? {} : { workflow }),
          ...(agent === '' ? {} : { agent }),
          ...(merge ? { merge } : {}),
        },
      });
      if (outcome.status !== 'started')
        throw new Error(
          'reason' in outcome ? `${outcome.reason}. ${outcome.advice}` : `Not started: ${outcome.status}`,
        );
      navigate(`/runs/${outcome.run}`);
      return `Started ${outcome.run}.`;
    });
  const steps = preview.kind === 'known' ? stepsOf(preview.value.template) : [];
  return (
    <>
      <div className="head">
        <h1>New run</h1>
        <ProjectChoice {...choice} />
      </div>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (request.trim() !== '' && project !== undefined) start();
        }}
      >
        <label>
          What to do
          <textarea
            rows={4}
            value={request}
            placeholder="Add a cart to the shop"
            onChange={({ target }) => setRequest(target.value)}
          />
        </label>
        <div className="field">
          <label htmlFor="workflow">Workflow</label>
          {listed.kind === 'known' ? (
            <select id="workflow" value={workflow} onChange={({ target }) => setWorkflow(target.value)}>
              <option value="">{usualOne(usual('workflow'))}</option>
              {listed.value.workflows.map(({ name, description }) => (
                <option key={name} value={name}>
                  {name}
                  {description === undefined ? '' : `: ${description}`}
                </option>
              ))}
            </select>
          ) : (
            <input
              id="workflow"
              value={workflow}
              placeholder="the project's usual one"
              onChange={({ target }) => setWorkflow(target.value)}
            />
          )}
        </div>
        {steps.length === 0 ? null : (
          <ol className="preview" aria-label="Steps">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        <label>
          Agent
          <select value={agent} onChange={({ target }) => setAgent(target.value)}>
            <option value="">{usualOne(usual('agent'))}</option>
            <option value="claude">Claude Code</option>
            <option value="codex">Codex</option>
            <option value="opencode">opencode</option>
            <option value="builtin">built-in</option>
            {own.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="check-line">
          <input type="checkbox" checked={merge} onChange={({ target }) => setMerge(target.checked)} />
          Merge when the checks pass
        </label>
        <p className="choices">
          <button
            type="submit"
            className="primary"
            disabled={action.isBusy || request.trim() === '' || project === undefined}
          >
            Start
          </button>
          <span className="quiet">It works in a branch and a worktree of its own.</span>
        </p>
      </form>
    </>
  );
}

const OWN = 'agents.';

/** The agents that the settings add. */
const ownAgents = (settings: readonly { readonly key: string }[]): readonly string[] =>
  settings.flatMap(({ key }) => (key.startsWith(OWN) ? [key.slice(OWN.length)] : []));

const usualOne = (name: string): string => `the project's usual one${name === '' ? '' : `: ${name}`}`;

function stepsOf(template: unknown): readonly string[] {
  const { steps } = (template ?? {}) as { readonly steps?: readonly { readonly id?: string }[] };
  return (steps ?? []).map(({ id = '' }) => id);
}
