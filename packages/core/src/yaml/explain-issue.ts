import { isMap, isScalar, isSeq } from 'yaml';
import { z } from 'zod';
import { didYouMean } from './did-you-mean.js';
import { excerpt } from './excerpt.js';
import { innerOf, schemaAt } from './schema-parts.js';
import type { Content, Path, YamlTree } from './yaml-tree.js';

/** What is wrong, and where in the text. */
export interface Complaint {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Words about one value; they follow its name. */
type Words = Pick<Complaint, 'message' | 'hint'>;

interface Explaining {
  readonly schema: z.core.$ZodType;
  readonly tree: YamlTree;
  /** What the text says, as the schema got it. */
  readonly said: unknown;
  /** How messages call the part at a path. */
  readonly nameOf: (path: Path) => string;
}

/** Marks words that are zod's and not the schema's own. */
const ZODS = '\0';

/** For `safeParse`: leaves the words to `explainIssue` wherever the schema has none of its own. */
export const unworded = (issue: z.core.$ZodRawIssue): string => {
  const said = z.config().localeError?.(issue);
  return `${ZODS}${(typeof said === 'string' ? said : said?.message) ?? 'is not valid'}`;
};

export function explainIssue(issue: z.core.$ZodIssue, explaining: Explaining): readonly Complaint[] {
  const { schema, tree, said, nameOf } = explaining;
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, path, explaining));
  if (issue.code === 'invalid_key') {
    const [message, hint] = split(issue.issues[0]?.message ?? '');
    return [{ offset: tree.nearest(path).key, message: `${kindOfName(nameOf(path))} ${message}`, hint }];
  }
  const parent = tree.contentOf(tree.nearest(path.slice(0, -1)));
  if (path.length > 0 && isMap(parent) && valueAt(said, path) === undefined) {
    const message = `${nameOf(path.slice(0, -1))} must have '${String(path.at(-1))}'`;
    return [{ offset: parent.range[0], message }];
  }
  const part = tree.nearest(path);
  const content = tree.contentOf(part);
  if (content === undefined) return [{ offset: part.value, message: `${nameOf(path)} has no value` }];
  const { message, hint } = wordsFor(issue, schemaAt(schema, path), content);
  return [{ offset: part.value, message: `${nameOf(path)} ${message}`, hint }];
}

/** `Agent name`, for a complaint about the name of `Agent 'x'`. */
export const kindOfName = (name: string): string => `${name.split(" '")[0]} name`;

const valueAt = (said: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, step) => (isRecord(value) ? value[String(step)] : undefined), said);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function unknownKey(key: string, path: Path, { schema, tree, nameOf }: Explaining): Complaint {
  const inner = schemaAt(schema, path);
  const known = inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
  const hint = key === '<<' ? 'merge keys are not supported; write the keys out' : didYouMean(key, known);
  return {
    offset: tree.nearest([...path, key]).key,
    message: `${nameOf(path)} has an unknown key '${excerpt(key)}'`,
    hint: hint ?? `known keys: ${known.join(', ')}`,
  };
}

function wordsFor(issue: z.core.$ZodIssue, schema: z.core.$ZodType | undefined, content: Content): Words {
  const [own, hint] = split(issue.message);
  if (!own.startsWith(ZODS)) {
    const isAboutWhatIsThere = issue.code === 'invalid_type' || schema instanceof z.ZodNumber;
    return {
      message: isAboutWhatIsThere ? `${own}, got: ${describe(content)}` : own,
      hint: hint ?? usualHint(schema, content),
    };
  }
  return usualWords(schema, content) ?? { message: `is wrong: ${own.slice(ZODS.length)}` };
}

/** What a value of this kind has to be. */
function usualWords(schema: z.core.$ZodType | undefined, content: Content): Words | undefined {
  const got = `got: ${describe(content)}`;
  const hint = usualHint(schema, content);
  if (schema instanceof z.ZodString) return { message: 'must be a string', hint };
  if (schema instanceof z.ZodNumber) return { message: `must be ${rangeOf(schema)}, ${got}`, hint };
  if (schema instanceof z.ZodBoolean) return { message: `must be true or false, ${got}`, hint };
  if (schema instanceof z.ZodObject) return { message: `must be a mapping of keys to values, ${got}` };
  if (schema instanceof z.ZodRecord) return { message: `must be a mapping of names, ${got}` };
  if (schema instanceof z.ZodArray)
    return { message: `must be a list${ofTexts(schema) ? ' of strings' : ''}, ${got}`, hint };
  if (!(schema instanceof z.ZodEnum)) return undefined;
  const values = schema.options.map(String);
  if (!isScalar(content) || typeof content.value !== 'string')
    return { message: 'must be a string', hint: `write ${values.join(' or ')}` };
  return {
    message: `must be ${oneOf(values)}, got: ${excerpt(content.value)}`,
    hint: didYouMean(content.value, values),
  };
}

function usualHint(schema: z.core.$ZodType | undefined, content: Content): string | undefined {
  const value = isScalar(content) ? content.value : undefined;
  if (schema instanceof z.ZodString && typeof value !== 'string') return hintForString(content);
  if (schema instanceof z.ZodNumber && typeof value === 'string' && /^[\d.]+$/.test(value))
    return 'write it without quotes';
  if (schema instanceof z.ZodBoolean && typeof value === 'string') return hintForFlag(value);
  if (schema instanceof z.ZodArray && ofTexts(schema) && typeof value === 'string')
    return `write [${excerpt(value).trim().split(/\s+/).join(', ')}]`;
  return undefined;
}

function rangeOf({ isInt, minValue, maxValue }: z.ZodNumber): string {
  const what = isInt ? 'a whole number' : 'a number';
  const isBound = (value: number | null): value is number =>
    value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  if (isBound(minValue))
    return isBound(maxValue) ? `${what} from ${minValue} to ${maxValue}` : `${what} of ${minValue} or more`;
  return isBound(maxValue) ? `${what} of at most ${maxValue}` : what;
}

const ofTexts = (schema: z.ZodArray): boolean => innerOf(schema.element) instanceof z.ZodString;

function hintForString(content: Content): string {
  if (!isScalar(content)) return `it is ${describe(content)} here`;
  if (content.value === null && content.source === '') return 'it is empty here';
  return `put it in quotes: "${excerpt(content.source)}"`;
}

function hintForFlag(value: string): string | undefined {
  const word = value.toLowerCase();
  if (word === 'true' || word === 'false') return `write ${word} without quotes`;
  if (word === 'yes' || word === 'on') return 'write true';
  return word === 'no' || word === 'off' ? 'write false' : undefined;
}

/** Not the value itself where that could be long. */
function describe(content: Content): string {
  if (isMap(content)) return 'a mapping';
  if (isSeq(content)) return 'a list';
  return content.source === '' ? 'nothing' : excerpt(content.source);
}

const oneOf = (values: readonly string[]): string => {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop();
  return quoted.length === 1 ? `either ${quoted[0]} or ${last}` : `one of ${quoted.join(', ')} or ${last}`;
};

function split(message: string): readonly [message: string, hint: string | undefined] {
  const [first = '', hint] = message.split('\n');
  return [first, hint];
}
