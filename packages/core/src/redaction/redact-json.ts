import type { JsonObject, JsonValue } from '../ports/json.js';
import { assignedKind, credentialKind } from './assigned-kind.js';
import { judgeKey } from './credential-key.js';
import { placeholderFor } from './placeholder.js';
import { redactText } from './redact-text.js';

/**
 * The value with every secret in its strings and keys replaced, as {@link redactText} does, and with what stands under
 * keys such as `password` replaced where it looks like a credential, be it a number. What holds no secret is returned as it is, the
 * same object. However deep the value is, it must not contain itself; JSON cannot.
 */
export function redactJson<T extends JsonObject>(value: T): T {
  const path = [visit(value, '')];
  for (;;) {
    const visited = path.at(-1) as Visit;
    const key = visited.keys[visited.next];
    if (key === undefined) {
      path.pop();
      const above = path.at(-1);
      if (above === undefined) return finish(visited) as T;
      settle(above, finish(visited));
      continue;
    }
    const part = (visited.source as JsonObject)[key] as JsonValue;
    const name = nameOf(visited, key);
    if (typeof part === 'object' && part !== null) path.push(visit(part, name));
    else settle(visited, redactLeaf(name, part));
  }
}

type Container = JsonObject | readonly JsonValue[];

/** An object or array on the way through. A stack of these and not of calls, for what is nested too deep for calls. */
interface Visit {
  readonly source: Container;
  readonly keys: readonly string[];
  /** The key that the container stands under: what is in a list stands under it, too. */
  readonly name: string;
  next: number;
  /** The parts that differ from those of the source, by their place. */
  readonly changes: Map<number, JsonValue>;
}

const visit = (source: Container, name: string): Visit => ({
  source,
  keys: Object.keys(source),
  name,
  next: 0,
  changes: new Map(),
});

function settle(visited: Visit, part: JsonValue): void {
  const before = (visited.source as JsonObject)[visited.keys[visited.next] as string];
  if (part !== before) visited.changes.set(visited.next, part);
  visited.next++;
}

function finish({ source, keys, changes }: Visit): JsonValue {
  const partAt = (at: number) => changes.get(at) ?? ((source as JsonObject)[keys[at] as string] as JsonValue);
  if (isList(source)) return changes.size === 0 ? source : source.map((_, at) => partAt(at));
  const names = keys.map(redactText);
  if (changes.size === 0 && names.every((name, at) => name === keys[at])) return source;
  // fromEntries defines its properties, so a key `__proto__` stays a key.
  return Object.fromEntries(distinct(names).map((name, at) => [name, partAt(at)]));
}

const isList = (source: Container): source is readonly JsonValue[] => Array.isArray(source);

/** Two secret keys must not become one: the second is numbered. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name}#${count}`;
    taken.add(unique);
    return unique;
  });
}

/** The name of a part: its key, that of the list it is in, or what stands beside it in `{ name: …, value: … }`. */
function nameOf({ source, name }: Visit, key: string): string {
  if (isList(source)) return name;
  const beside = key === 'value' ? (source.name ?? source.key) : undefined;
  return typeof beside === 'string' ? beside : key;
}

function redactLeaf(name: string, leaf: string | number | boolean | null): JsonValue {
  if (typeof leaf === 'string') return redactNamed(name, leaf);
  return typeof leaf === 'number' ? redactNumber(name, leaf) : leaf;
}

const SMALLEST_NUMBER = 1_000;
const PIN = /(?:^|_)(?:pin|pin_?code|otp)$/;

/** `password: 48151623` and `pin: 1234`. Of several, as in `secrets: 1200`, a number is rather how many there are. */
function redactNumber(name: string, number: number): JsonValue {
  if (Math.abs(number) < SMALLEST_NUMBER) return number;
  const { words, strength } = judgeKey(name);
  const isCredential = PIN.test(words) || (strength === 'sure' && !/[^s]s$/.test(words));
  return isCredential ? placeholderFor(credentialKind(words)) : number;
}

const PASSPHRASE = /^[a-z0-9]{1,20}(?: [a-z0-9]{1,20}){2,11}$/;

function redactNamed(name: string, text: string): string {
  const key = judgeKey(name);
  if (key.header !== undefined) return redactText(`${key.header}: ${text}`).slice(key.header.length + 2);
  const redacted = redactText(text);
  if (key.isOrdinary || /^\[redacted:[\w-]{1,40}\]$/.test(redacted)) return redacted;
  if (/pass_?(?:word|phrase)$/.test(key.words) && PASSPHRASE.test(text)) return placeholderFor('password');
  const kind = assignedKind(key, text);
  return kind === undefined ? redacted : placeholderFor(kind);
}
