import { LineCounter, type ParsedNode } from 'yaml';
import { type WorkflowProblem, WorkflowValidationError } from '../errors/workflow-validation-error.js';
import { parseYaml } from '../yaml/parse-yaml.js';
import { createProblemList, type ProblemList } from '../yaml/problem-list.js';
import { checkPlaceholders } from './template/check-placeholders.js';
import { checkReferences } from './template/check-references.js';
import type { Places } from './template/draft.js';
import { readTemplate } from './template/read-template.js';
import type { WorkflowTemplate } from './types.js';

export { WorkflowValidationError };

const MOST_BYTES = 1_048_576;

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
  const text = withoutMark(yaml);
  const lines = new LineCounter();
  const problems = createProblemList(lines);
  const places: Places = new WeakMap();
  const root = parse(text, { lines, problems, path: undefined });
  const draft = root === undefined ? {} : readTemplate(root, problems, places);
  return problems.isEmpty ? checkPlaceholders({ draft, places, problems, text }) : [];
}

function read(path: string, readText: (path: string) => string): string {
  try {
    return readText(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw unusable({
      path,
      cause,
      message: `The file cannot be read: ${reason}`,
      hint: 'check the path and its permissions',
    });
  }
}

function load(yaml: string, path: string | undefined): WorkflowTemplate {
  if (isTooLarge(yaml)) {
    throw unusable({
      path,
      message: 'The template is over 1 MB',
      hint: 'a template describes steps; keep data elsewhere',
    });
  }
  const text = withoutMark(yaml);
  const lines = new LineCounter();
  const problems = createProblemList(lines);
  const places: Places = new WeakMap();

  const root = parse(text, { lines, problems, path });
  const draft = root === undefined ? {} : readTemplate(root, problems, places);
  if (root !== undefined) checkReferences({ draft, places, problems });
  if (!problems.isEmpty) throw new WorkflowValidationError({ problems: problems.inOrder(), path });
  return draft as WorkflowTemplate; // complete and correct by now: the tables of keys match the types
}

const withoutMark = (yaml: string): string => (yaml.startsWith('\ufeff') ? yaml.slice(1) : yaml);

function parse(text: string, { lines, problems, path }: Parsing): ParsedNode | undefined {
  try {
    return parseYaml(text, lines, problems, { subject: 'The template', mayBeEmpty: false });
  } catch (cause) {
    // The library promises to report and not to throw; a text that proves it wrong is no reason to crash.
    throw unusable({ path, cause, message: 'Invalid YAML: the text cannot be parsed' });
  }
}

interface Parsing {
  readonly lines: LineCounter;
  readonly problems: ProblemList;
  readonly path: string | undefined;
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

/** A UTF-16 unit is at most three bytes. */
const isTooLarge = (text: string) =>
  text.length > MOST_BYTES || (text.length * 3 > MOST_BYTES && new TextEncoder().encode(text).length > MOST_BYTES);
