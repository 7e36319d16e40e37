import { createDirectiveReader, DirectiveMistake, type DirectiveReader, excerpt, MARK } from './directive-reader.js';
import type { Step } from './step.js';
import { StepSchema } from './step-schema.js';

export type ParsedDirectives =
  | { readonly kind: 'script'; readonly steps: readonly Step[] }
  /** Line from 1, as editors count. */
  | { readonly kind: 'mistake'; readonly line: number; readonly message: string };

/**
 * The directives in a prompt: lines that begin with `@model `, several of them on one line if need be. Other text is
 * for people and means nothing here.
 */
export function parseDirectives(prompt: string): ParsedDirectives {
  const source = unwrap(prompt);
  const steps: Step[] = [];
  let start = nextDirective(source, 0);
  try {
    while (start !== -1) {
      const reader = createDirectiveReader(source, start + MARK.length);
      const verb = readDirective(reader, steps);
      reader.finish(verb);
      start = source.startsWith(MARK, reader.at) ? reader.at : nextDirective(source, reader.at);
    }
  } catch (error) {
    if (!(error instanceof DirectiveMistake)) throw error;
    return { kind: 'mistake', line: source.slice(0, start).split('\n').length, message: error.message };
  }
  return { kind: 'script', steps };
}

/** `opencode run` puts a prompt of several words in quotes. */
function unwrap(prompt: string): string {
  const isWrapped = prompt.length > 1 && prompt.startsWith('"') && prompt.endsWith('"') && prompt.includes(MARK);
  return isWrapped ? prompt.slice(1, -1).replaceAll('\\"', '"') : prompt;
}

function nextDirective(source: string, from: number): number {
  if ((from === 0 || source[from - 1] === '\n') && source.startsWith(MARK, from)) return from;
  const found = source.indexOf(`\n${MARK}`, from);
  return found === -1 ? -1 : found + 1;
}

/** Adds the directive's step and returns its verb. */
function readDirective(reader: DirectiveReader, steps: Step[]): string {
  const verb = reader.word();
  if (verb === 'and') joinCall(reader, steps);
  else steps.push(readStep(verb, reader));
  return verb;
}

/** Another call in the turn of the call before. */
function joinCall(reader: DirectiveReader, steps: Step[]): void {
  const before = steps.at(-1);
  const step = readStep(reader.word(), reader);
  if (before?.kind !== 'call' || step.kind !== 'call') {
    throw new DirectiveMistake("'and' joins a tool or run to the tool or run just before it");
  }
  steps[steps.length - 1] = { kind: 'call', calls: [...before.calls, ...step.calls] };
}

function readStep(verb: string, reader: DirectiveReader): Step {
  const checked = StepSchema.safeParse(readRaw(verb, reader));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const where = issue?.path.filter((key) => typeof key === 'string' && key !== 'repeat' && key !== 'steps').join('.');
  throw new DirectiveMistake(`${where || verb}: ${issue?.message ?? 'is not understood'}`);
}

/** The directive as a step of a scenario file, not checked yet. */
function readRaw(verb: string, reader: DirectiveReader): Readonly<Record<string, unknown>> {
  if (verb === 'repeat') {
    const times = toNumber(reader.word());
    return { repeat: { times, steps: [readRaw(reader.word(), reader)] } };
  }
  const read = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (read !== undefined) return { [verb]: read(reader) };
  const known = [...Object.keys(VERBS), 'and', 'repeat'].join(', ');
  throw new DirectiveMistake(`there is no directive '${excerpt(verb)}'; there are ${known}`);
}

const VERBS: Readonly<Record<string, (reader: DirectiveReader) => unknown>> = {
  say: (reader) => reader.text(),
  think: (reader) => reader.text(),
  run: (reader) => reader.text(),
  tool: readTool,
  usage: (reader) => numbers(reader.settings()),
  delay: (reader) => reader.word(),
  pace: (reader) => reader.word(),
  cut: (reader) => toNumber(reader.word()),
  error: readError,
  overflow: (reader) => numbers(reader.settings()),
  drop: readBreak,
  hang: readBreak,
};

function readTool(reader: DirectiveReader): unknown {
  const name = reader.word();
  const written = reader.json();
  if (written === undefined) return { name };
  try {
    const input: unknown = JSON.parse(written);
    return { name, input: typeof input === 'string' ? input : written };
  } catch {
    throw new DirectiveMistake(`the input of ${excerpt(name)} is not JSON: ${excerpt(written)}`);
  }
}

function readError(reader: DirectiveReader): unknown {
  const status = toNumber(reader.word());
  const headers: Record<string, string> = {};
  const rest: Record<string, unknown> = {};
  for (const [key, value] of reader.settings()) {
    if (key.startsWith('header.')) headers[key.slice('header.'.length)] = value;
    else if (key === 'retry-after') rest.retryAfter = toNumber(value);
    else rest[key] = key === 'after' || key === 'times' ? toNumber(value) : value;
  }
  return { status, headers, ...rest };
}

function readBreak(reader: DirectiveReader): unknown {
  const after = reader.digits();
  return { ...(after !== undefined && { after: toNumber(after) }), ...numbers(reader.settings()) };
}

const numbers = (settings: ReadonlyMap<string, string>) =>
  Object.fromEntries([...settings].map(([key, value]) => [key, toNumber(value)]));

/** `120000`, `120_000` or `120k`. */
function toNumber(text: string): number {
  const [, digits, thousands] = /^(\d[\d_]{0,14})(k?)$/.exec(text) ?? [];
  if (digits === undefined) throw new DirectiveMistake(`'${excerpt(text)}' is not a whole number`);
  return Number(digits.replaceAll('_', '')) * (thousands === 'k' ? 1_000 : 1);
}
