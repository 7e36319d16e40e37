import type { ConversationDescribed } from '@devs/core';

/** Many records repeat where the conversation takes place; only what changed is said again. */
export function describedFacts(
  parts: Readonly<Record<string, string | undefined>>,
  known: Map<string, string>,
): readonly ConversationDescribed[] {
  const changed = Object.entries(parts).filter(
    (part): part is [string, string] => part[1] !== undefined && part[1] !== '' && known.get(part[0]) !== part[1],
  );
  for (const [name, value] of changed) known.set(name, value);
  return changed.length === 0 ? [] : [{ type: 'conversation.described', ...Object.fromEntries(changed) }];
}
