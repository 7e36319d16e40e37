import { messageOf } from '../errors/message-of.js';
import { type WorkflowProblem, WorkflowValidationError } from '../errors/workflow-validation-error.js';
import { checkPlaceholders } from './template/check-placeholders.js';
import { checkReferences } from './template/check-references.js';
import { readTemplate } from './template/read-template.js';
import type { WorkflowTemplate } from './types.js';

export { WorkflowValidationError };

/**
 * Parses a template from YAML, deeply frozen, with the known keys only.
 *
 * @throws {WorkflowValidationError} with every problem; no other error for any text
 */
export const loadWorkflowTemplateFromString = (yaml: string): WorkflowTemplate => load(yaml, undefined);

/** The same from a file. Core has no files: `readText` is given by the caller, and may throw. */
export function loadWorkflowTemplate(path: string, readText: (path: string) => string): WorkflowTemplate {
  return load(read(path, readText), path);
}

/** What in a valid template is never filled in, with its place. */
export function findUnknownPlaceholders(yaml: string): readonly WorkflowProblem[] {
  const read = readTemplate(yaml);
  return read.problems.isEmpty ? checkPlaceholders(read) : [];
}

function read(path: string, readText: (path: string) => string): string {
  try {
    return readText(path);
  } catch (cause) {
    const reason = messageOf(cause);
    throw unusable({
      path,
      cause,
      message: `The file cannot be read: ${reason}`,
      hint: 'check the path and its permissions',
    });
  }
}

function load(yaml: string, path: string | undefined): WorkflowTemplate {
  const { draft, value, ...read } = readTemplate(yaml);
  checkReferences({ draft, ...read });
  if (!read.problems.isEmpty) throw new WorkflowValidationError({ problems: read.problems.inOrder(), path });
  return frozen(value) as WorkflowTemplate; // complete and correct by now: the schema is where the type comes from
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

function unusable({ path, cause, message, hint }: Unusable): WorkflowValidationError {
  const problem = { message, line: 1, column: 1, ...(hint !== undefined && { hint }) };
  return new WorkflowValidationError({ problems: [problem], path, cause });
}

interface Unusable {
  readonly path: string | undefined;
  readonly cause?: unknown;
  readonly message: string;
  readonly hint?: string;
}
