import type { JsonObject } from './ports/json.js';

/** Data of ours as JSON. Its values are JSON already, which the types of interfaces cannot say. */
export const jsonOf = (data: object): JsonObject => data as JsonObject;

/**
 * What devs itself stored or sent, as the type that it had. The only place that believes it: its writers are typed, and
 * others have no access to it.
 */
export const believed = <Type extends object>(stored: object): Type => stored as Type;
