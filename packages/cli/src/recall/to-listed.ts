import type { RecallResult } from '@devs/core';
import type { PassagePlace } from '@devs/store';

/** A result as scripts and agents get it. */
export function toListed({ passage, place, excerpt, also }: RecallResult<PassagePlace>) {
  const { kind, line, at, about } = passage;
  return {
    kind,
    ...(about === undefined ? {} : { about }),
    text: excerpt,
    ...(also.length === 0 ? {} : { also }),
    ...(at === undefined ? {} : { at }),
    agent: place.agent,
    transcript: place.transcript,
    line,
  };
}
