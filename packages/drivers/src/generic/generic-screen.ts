import type { GenericAgentConfig, InputPatterns, ScreenView } from '@devs/core';
import { NOTHING_SAID, type Said } from '../driving/signal-reader.js';

export interface GenericPatterns {
  readonly input: InputPatterns;
  readonly idle?: RegExp;
}

export function genericPatterns(config: GenericAgentConfig): GenericPatterns {
  const pattern = (source: string) => new RegExp(source, 'u');
  const named = <Name extends string>(name: Name, source: string | undefined) =>
    (source === undefined ? {} : { [name]: pattern(source) }) as { readonly [Key in Name]?: RegExp };
  return {
    input: {
      prompt: pattern(config.prompt),
      ...named('promptEnd', config.promptEnd),
      ...named('placeholder', config.placeholder),
      ...named('dialog', config.waiting),
      ...named('busy', config.busy),
    },
    ...named('idle', config.idle),
  };
}

/** A question comes first: an agent that waits for an answer is neither idle nor done (H13). */
export function readGenericScreen({ lines }: ScreenView, { input, idle }: GenericPatterns): Said {
  const find = (pattern: RegExp | undefined) =>
    pattern === undefined ? undefined : lines.findLast((line) => pattern.test(line));
  const waiting = find(input.dialog);
  if (waiting !== undefined) return { says: 'waiting', detail: waiting.trim() };
  const busy = find(input.busy);
  if (busy !== undefined) return { says: 'busy', detail: busy.trim() };
  const ready = find(idle ?? input.prompt);
  return ready === undefined ? NOTHING_SAID : { says: 'idle', detail: ready.trim().slice(0, 80) };
}
