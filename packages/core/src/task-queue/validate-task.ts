import { StoreInputError } from '../errors/store-errors.js';
import type { TaskQuery } from '../ports/store-backend.js';
import type { NewTask } from '../ports/task-queue.js';
import { redactText } from '../redaction/redact-text.js';

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const MAX_ID_CHARS = 100;
const MAX_INTENT_CHARS = 2_000;
const MAX_TEXT_CHARS = 100_000;
const MAX_DEPENDENCIES = 100;
const MAX_PRIORITY = 1_000;
const COMMIT = /^[0-9a-f]{40,64}$/;
const NEED = /^[a-z0-9][a-z0-9.-]*$/;
const MAX_NEEDS = 10;
const MAX_NEED_CHARS = 40;
const MAX_LEASE_MS = 366 * 24 * 3_600_000;
const MAX_LISTED = 1_000_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;

const LONE_SURROGATE = /\p{Surrogate}/u;

export function checkTaskId(id: string, field = 'task id'): void {
  if (typeof id !== 'string' || id.length > MAX_ID_CHARS || !ID.test(id) || id.includes('..')) {
    throw new StoreInputError(
      field,
      `letters, digits, ".", "_" and "-", beginning with a letter or digit, without "..", up to ${MAX_ID_CHARS} characters; e.g. "fix-login"`,
    );
  }
  if (redactText(id) !== id) throw new StoreInputError(field, 'a name that is no secret; this one looks like a token');
}

export function checkNewTask(task: NewTask): void {
  if (typeof task !== 'object' || task === null)
    throw new StoreInputError('task', 'an object with an id and an intent');
  checkTaskId(task.id);
  checkIntent(task.intent);
  if (task.description !== undefined) checkText('description', task.description);
  if (task.blocked !== undefined) checkText('reason', task.blocked);
  for (const dependency of task.depends_on ?? []) checkTaskId(dependency, `dependency of ${task.id}`);
  if (task.depends_on?.includes(task.id))
    throw new StoreInputError(`dependency of ${task.id}`, 'another task than itself');
  if ((task.depends_on?.length ?? 0) > MAX_DEPENDENCIES) {
    throw new StoreInputError(`dependencies of ${task.id}`, `at most ${MAX_DEPENDENCIES}`);
  }
  checkPriority(task.priority ?? 0);
  if (task.base !== undefined && !COMMIT.test(task.base))
    throw new StoreInputError('base', 'the id of a commit, in full');
  checkNeeds(task.needs ?? []);
}

function checkNeeds(needs: readonly string[]): void {
  if (needs.length > MAX_NEEDS || needs.some((need) => need.length > MAX_NEED_CHARS || !NEED.test(need)))
    throw new StoreInputError(
      'needs',
      `at most ${MAX_NEEDS} labels of small letters, digits, "." and "-", up to ${MAX_NEED_CHARS} characters; e.g. "gpu"`,
    );
}

interface Edited {
  readonly id: string;
  readonly intent: string | undefined;
  readonly description: string | undefined;
  readonly priority: number | undefined;
}

export function checkTaskEdit({ id, intent, description, priority }: Edited): void {
  checkTaskId(id);
  if (intent !== undefined) checkIntent(intent);
  if (description !== undefined) checkText('description', description);
  checkPriority(priority ?? 0);
}

function checkPriority(priority: number): void {
  if (!Number.isInteger(priority) || Math.abs(priority) > MAX_PRIORITY) {
    throw new StoreInputError('priority', `a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}`);
  }
}

/** An intent is one line that every later prompt may show; longer text belongs in the description. */
function checkIntent(intent: string): void {
  const isOneLine =
    typeof intent === 'string' && intent.trim() !== '' && !CONTROL.test(intent) && !LONE_SURROGATE.test(intent);
  if (!isOneLine || intent.length > MAX_INTENT_CHARS || intent.includes('```')) {
    throw new StoreInputError(
      'intent',
      `one line of up to ${MAX_INTENT_CHARS} characters, without control characters and code fences; put what is longer into the description`,
    );
  }
}

export function checkText(field: string, text: string): void {
  if (typeof text !== 'string' || text.length > MAX_TEXT_CHARS || text.includes('\u0000')) {
    throw new StoreInputError(field, `up to ${MAX_TEXT_CHARS} characters of text without null characters`);
  }
}

export function checkLease(leaseMs: number): void {
  if (!Number.isInteger(leaseMs) || leaseMs <= 0 || leaseMs > MAX_LEASE_MS)
    throw new StoreInputError('lease', 'a whole number of milliseconds above 0');
}

export function checkHolder(by: string): void {
  if (by.trim() === '' || by.length > MAX_ID_CHARS || CONTROL.test(by)) {
    throw new StoreInputError('claimed by', `a name of one line, up to ${MAX_ID_CHARS} characters`);
  }
}

export function checkQuery({ limit, offset = 0 }: TaskQuery): void {
  const isCount = (value: number) => Number.isInteger(value) && value >= 0 && value <= MAX_LISTED;
  if (!isCount(limit) || !isCount(offset)) throw new StoreInputError('page', `whole numbers from 0 to ${MAX_LISTED}`);
}
