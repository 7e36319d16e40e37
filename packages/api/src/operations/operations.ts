import type { z } from 'zod';
import { RECORD_OPERATIONS } from './record-operations.js';
import { RUN_OPERATIONS } from './run-operations.js';
import { DOOR_OPERATIONS, SUPERVISOR_OPERATIONS } from './supervisor-operations.js';
import { TERMINAL_OPERATIONS } from './terminal-operations.js';

/** Everything that can be asked of the supervisor: the server, the client and the OpenAPI document are made from this table. */
export const OPERATIONS = {
  ...SUPERVISOR_OPERATIONS,
  ...RUN_OPERATIONS,
  ...TERMINAL_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...DOOR_OPERATIONS,
};

export type OperationName = keyof typeof OPERATIONS;
export type DoorName = keyof typeof DOOR_OPERATIONS;
export const isDoor = (name: OperationName): name is DoorName => Object.hasOwn(DOOR_OPERATIONS, name);

/** Input of a caller: fields with defaults may be missing. */
export type Input<Name extends OperationName> = z.input<(typeof OPERATIONS)[Name]['input']>;
/** Input of a handler. */
export type Parsed<Name extends OperationName> = z.output<(typeof OPERATIONS)[Name]['input']>;
/** Output of a handler, as a caller gets it. */
export type Output<Name extends OperationName> = Frozen<z.output<(typeof OPERATIONS)[Name]['output']>>;

/** Values of other packages have readonly fields and lists. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;
