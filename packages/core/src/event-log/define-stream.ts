import type { NewEvent, StoredEvent } from '../ports/event-log.js';
import { believed, jsonOf } from '../stored-json.js';

interface TypedEvent {
  readonly type: string;
}

/** What one event adds to the state, by its name. Events without an entry change nothing. */
export type StreamFold<State, Event extends TypedEvent> = {
  readonly [Type in Event['type']]?: (
    state: State,
    event: Extract<Event, { readonly type: Type }>,
    stored: StoredEvent,
  ) => State;
};

/** One kind of stream: its events as types, and the state that they add up to. */
export interface TypedStream<State, Event extends TypedEvent> {
  /** Pure: the state after one more event. */
  add(state: State, stored: StoredEvent): State;
  /** As it is stored. */
  newEvent(event: Event): NewEvent;
}

export function defineStream<State, Event extends TypedEvent>(
  fold: StreamFold<State, Event>,
): TypedStream<State, Event> {
  const handlers = new Map<string, (state: State, event: Event, stored: StoredEvent) => State>(Object.entries(fold));
  return {
    add: (state, stored) => handlers.get(stored.type)?.(state, eventOf<Event>(stored), stored) ?? state,
    newEvent,
  };
}

export const newEvent = <Event extends TypedEvent>({ type, ...data }: Event): NewEvent => ({
  type,
  data: jsonOf(data),
});

/** The writers of a stream are typed, and others write events of other names. */
export const eventOf = <Event extends TypedEvent>({ type, data }: NewEvent): Event => believed({ ...data, type });
