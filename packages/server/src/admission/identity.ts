import type { OperationName, Parsed } from '@devs/api';
import { isDoor, OPERATIONS, type Operation } from '@devs/api';

/** Who a caller is, by its capability. */
export type Identity =
  | { readonly scope: 'owner' | 'viewer'; readonly name: string }
  /** `terminal` is missing where the kernel does not name it: then nothing is its own. */
  | { readonly scope: 'agent'; readonly name: string; readonly terminal: string | undefined };

/** Pure: whether this caller may perform this operation with this input. `runOf` gives the run of a terminal. */
export function mayCall<Name extends OperationName>(
  identity: Identity,
  name: Name,
  { input, runOf }: { readonly input: Parsed<Name>; readonly runOf: (terminal: string) => string | undefined },
): boolean {
  const operation: Operation = OPERATIONS[name];
  if (isDoor(name)) return true;
  switch (identity.scope) {
    case 'owner':
      return true;
    case 'viewer':
      return operation.scope === 'viewer';
    case 'agent': {
      if (operation.agentOf === undefined || identity.terminal === undefined) return false;
      const wanted = (input as Readonly<Record<string, unknown>>)[operation.agentOf];
      const own = operation.agentOf === 'terminal' ? identity.terminal : runOf(identity.terminal);
      return own !== undefined && wanted === own;
    }
  }
}
