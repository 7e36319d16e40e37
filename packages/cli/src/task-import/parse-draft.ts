import type { Draft } from './draft.js';

const FIELDS = ['id', 'intent', 'description', 'depends_on', 'priority', 'needs'];

/** A task from a JSON value; or, as text, what is wrong with it. What the texts may hold is for the store to say. */
export function parseDraft(value: unknown): Draft['task'] | string {
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
