import { assignedKind } from './assigned-kind.js';
import { judgeKey } from './credential-key.js';
import { holdsKnownSecret } from './holds-known-secret.js';

/**
 * Whether a variable of the environment is a secret: its name says so and its value does not speak against it, or its value is a
 * token that is known by its beginning. A password in an address (`DATABASE_URL`) is none here: programs need the address.
 */
export const isSecretVariable = (name: string, value: string): boolean =>
  assignedKind(judgeKey(name), value) !== undefined || holdsKnownSecret(value);
