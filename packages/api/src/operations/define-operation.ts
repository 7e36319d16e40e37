import type { z } from 'zod';
import type { Route } from './route.js';

/** `viewer` reads, `owner` does everything. */
export type Scope = 'viewer' | 'owner';

export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly route: Route;
  readonly summary: string;
  /** The least that a caller's capability has to be. */
  readonly scope: Scope;
  /** Field of the input that has to name the agent's own run or terminal; missing: closed to agents. */
  readonly agentOf?: 'run' | 'terminal';
  /** Most bytes of a body. */
  readonly bodyBytes?: number;
  /** Path parameters, query and body in one object; see `placeInput`. */
  readonly input: Input;
  readonly output: Output;
}

/** Keeps the exact types of an entry of the table. */
export const defineOperation = <Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> => operation;
