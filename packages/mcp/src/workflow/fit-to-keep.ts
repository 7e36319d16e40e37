import { believed, jsonOf, type RunStart, redactJson } from '@devs/core';
import type { Call } from './context-action.js';
import { refuseSecretIds } from './refuse-secret-ids.js';
import { WorkflowToolError } from './workflow-tool-error.js';

/** The log takes about 1,000,000 characters at once. */
const MAX_CHARS = 900_000;

type Loaded = Omit<RunStart, 'summary'>;

/** The workflow as it will be kept with its run, without secrets. Throws where it could not be followed then. */
export function fitToKeep({ template, source }: Loaded, { context }: Call): Loaded {
  const { steps, loops = {}, agents = {} } = template;
  refuseSecretIds(
    'step',
    steps.map(({ id }) => id),
  );
  refuseSecretIds('loop', Object.keys(loops));
  refuseSecretIds(
    'sub-step',
    Object.values(loops).flatMap((subSteps) => subSteps.map(({ id }) => id)),
  );
  refuseSecretIds('agent', Object.keys(agents));
  const given = jsonOf(template);
  const kept = redactJson(given);
  const characters = JSON.stringify(kept).length;
  if (characters > MAX_CHARS)
    throw new WorkflowToolError(
      'WORKFLOW_UNFIT',
      `The workflow '${template.name}' has ${characters} characters when its aliases are written out; at most ${MAX_CHARS} can be kept with a run.`,
    );
  if (kept !== given)
    context.notices.add(
      'Some texts of the workflow look like secrets. They are not stored, and stand as [redacted:…] in the instructions: take them from the environment instead.',
    );
  return { template: believed<Loaded['template']>(kept), source };
}
