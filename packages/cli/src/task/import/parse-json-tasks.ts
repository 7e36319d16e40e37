import { JsonScanner, type NewTask } from '@devs/core';

const FIELDS = ['id', 'intent', 'description', 'depends_on', 'priority', 'needs'];

/** A task from a JSON value; or, as text, what is wrong with it. What the texts may hold is for the store to say. */
function parseDraft(value: unknown): Draft['task'] | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'it is no object such as {"intent": "Fix the login"}';
  }
  const unknown = Object.keys(value).filter((key) => !FIELDS.includes(key));
  if (unknown.length > 0) return `unknown field ${unknown.join(', ')}; there are ${FIELDS.join(', ')}`;
  const { id, intent, description, depends_on, priority, needs } = value as Record<string, unknown>;
  if (typeof intent !== 'string') return 'it needs an intent, which is a text';
  if (!isTextOrNothing(id)) return 'id must be a text';
  if (!isTextOrNothing(description)) return 'description must be a text';
  if (priority !== undefined && typeof priority !== 'number') return 'priority must be a number';
  if (!isTextsOrNothing(depends_on)) return 'depends_on must be a list of ids';
  if (!isTextsOrNothing(needs)) return 'needs must be a list of labels';
  return {
    intent,
    ...(id !== undefined && { id }),
    ...(description !== undefined && { description }),
    ...(depends_on !== undefined && { depends_on }),
    ...(priority !== undefined && { priority }),
    ...(needs !== undefined && { needs }),
  };
}

const isTextOrNothing = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

const isTextsOrNothing = (value: unknown): value is string[] | undefined =>
  value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

/** A JSON array of tasks. */
export function parseJsonArray(text: string): ParsedFile {
  let values: unknown[];
  try {
    values = JSON.parse(text) as unknown[];
  } catch {
    return { drafts: [], problems: [brokenJson(text)], checkedOff: 0 };
  }
  const lines = elementLines(text);
  return gather(values.map((value, index) => ({ line: lines[index] ?? 1, value })));
}

/** A JSON object on each line; empty lines are left out. */
export function parseJsonLines(text: string): ParsedFile {
  const problems: ImportProblem[] = [];
  const values: Located[] = [];
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') continue;
    try {
      values.push({ line: index + 1, value: JSON.parse(line) });
    } catch {
      problems.push({ line: index + 1, problem: 'it is no JSON; each line must be an object of its own' });
    }
  }
  const parsed = gather(values);
  return { ...parsed, problems: [...problems, ...parsed.problems].sort((a, b) => a.line - b.line) };
}

interface Located {
  readonly line: number;
  readonly value: unknown;
}

function gather(values: readonly Located[]): ParsedFile {
  const drafts: Draft[] = [];
  const problems: ImportProblem[] = [];
  for (const { line, value } of values) {
    const task = parseDraft(value);
    if (typeof task === 'string') problems.push({ line, problem: task });
    else drafts.push({ line, task });
  }
  return { drafts, problems, checkedOff: 0 };
}

/** Where V8 does not say where the mistake is, our own scanner does. */
function brokenJson(text: string): ImportProblem {
  const scanner = new JsonScanner();
  scanner.write(text);
  const scan = scanner.end();
  if (scan.status === 'malformed') return { line: lineAt(text, scan.at), problem: 'the JSON is malformed here' };
  const isComplete = scan.status === 'complete';
  const line = lineAt(text, isComplete ? scan.end : text.trimEnd().length);
  return { line, problem: isComplete ? 'there is more text behind the JSON array' : 'the JSON ends too early' };
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** The line on which each element of a valid JSON array begins. */
function elementLines(text: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let isExpected = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\n') line++;
    if (character === undefined || /\s/.test(character)) continue;
    if (character === ',') {
      isExpected = depth === 1;
      continue;
    }
    if (isExpected && character !== ']') lines.push(line);
    isExpected = false;
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (character === '[' && depth === 1) isExpected = true;
  }
  return lines;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** A task as a file describes it, and the line where it does. */
export interface Draft {
  readonly line: number;
  readonly task: Omit<NewTask, 'id'> & { readonly id?: string };
}

export interface ParsedFile {
  readonly drafts: readonly Draft[];
  readonly problems: readonly ImportProblem[];
  /** Lines of a check list that are checked off already. */
  readonly checkedOff: number;
}

export interface ImportProblem {
  readonly line: number;
  readonly problem: string;
}
