import type { EventLog, NewEvent, StoredEvent } from '../ports/event-log.js';

const PAGE = 500;

/** The state of one stream, as far as it was read. */
export class StreamCursor<State> {
  version = 0;
  position = 0;

  constructor(
    private readonly log: Pick<EventLog, 'read' | 'append'>,
    private readonly stream: string,
    public state: State,
    private readonly add: (state: State, event: StoredEvent) => State,
    /** After each event that was taken in. */
    private readonly onEvent: (event: StoredEvent) => void = () => {},
  ) {}

  /** Takes in what is new. */
  async read(): Promise<State> {
    for (;;) {
      const events = await this.log.read({ stream: this.stream, after: this.position, limit: PAGE });
      this.take(events);
      if (events.length < PAGE) return this.state;
    }
  }

  /** Stores events that were decided on this state. `false`: another writer was faster, and nothing was stored. */
  async append(events: readonly NewEvent[]): Promise<boolean> {
    const result = await this.log.append(this.stream, this.version, events);
    if (result.status === 'conflict') return false;
    this.take(result.events); // as stored: a secret in them was replaced
    return true;
  }

  /** Stores what follows from the state, decided again if another writer was faster; nothing where nothing does. */
  async decide(eventsOf: (state: State) => readonly NewEvent[]): Promise<State> {
    for (;;) {
      const events = eventsOf(this.state);
      if (events.length === 0 || (await this.append(events))) return this.state;
      await this.read();
    }
  }

  private take(events: readonly StoredEvent[]): void {
    for (const event of events) {
      this.state = this.add(this.state, event);
      this.version = event.version;
      this.position = event.position;
      this.onEvent(event);
    }
  }
}
