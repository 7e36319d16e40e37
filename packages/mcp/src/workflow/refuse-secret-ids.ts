import { redactText } from '@devs/core';
import { WorkflowToolError } from './workflow-tool-error.js';

/** Secrets are not stored, and two redacted ids could not be distinguished. */
export function refuseSecretIds(what: string, ids: readonly string[]): void {
  const secret = ids.find((id) => redactText(id) !== id);
  if (secret === undefined) return;
  throw new WorkflowToolError(
    'WORKFLOW_UNFIT',
    `The ${what} id '${redactText(secret)}' looks like a secret, which devs does not store. Use a short id of words.`,
  );
}
