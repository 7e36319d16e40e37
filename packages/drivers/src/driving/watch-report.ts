import type { AgentEvent, Clock, SignalSource, WatchRequest } from '@devs/core';
import type { Said } from './signal-reader.js';
import { stamp } from './standing-events.js';

/** What a watch tells its listener: every event, or only what differs from the last time. Silent once it is closed. */
export class WatchReport {
  readonly #begunAt: number;
  readonly #told = new Map<string, string>();
  #waitedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly onEvent: WatchRequest['onEvent'],
    private readonly clock: Clock,
    private readonly closed: AbortSignal,
  ) {
    this.#begunAt = clock.now();
  }

  /** By these an event is past. */
  get times() {
    return { begunAt: this.#begunAt, now: this.clock.now() };
  }

  stamp(at?: number) {
    return stamp(at, this.times);
  }

  tell(event: AgentEvent): void {
    if (!this.closed.aborted) this.onEvent(event);
  }

  tellOnce(key: string, event: AgentEvent): void {
    const { at: _, ...rest } = event;
    const text = JSON.stringify(rest);
    if (this.#told.get(key) === text) return;
    this.#told.set(key, text);
    this.tell(event);
  }

  signal(source: SignalSource, { says, detail }: Said): void {
    if (says === 'waiting') this.#waitedAt = this.clock.now();
    if (says === 'unknown' && !this.#told.has(source)) return;
    this.tellOnce(source, { type: 'signal.seen', source, says, detail, at: this.clock.now() });
  }

  missed(key: string, detail: string): void {
    this.tellOnce(key, { type: 'signal.missed', detail, ...this.stamp() });
  }

  background(counted: { readonly subAgents: number; readonly shells: number }): void {
    if (counted.subAgents + counted.shells === 0 && !this.#told.has('background')) return;
    this.tellOnce('background', { type: 'background.counted', ...counted, at: this.clock.now() });
  }

  /** A call that ran after the agent had waited for the user was allowed by hand. */
  grant(call: { readonly tool: string; readonly detail: string; readonly at?: number }, answeredAt?: number): void {
    if (call.at === undefined || this.#waitedAt < call.at) return;
    const { tool, detail } = call;
    this.tell({ type: 'permission.granted', tool, detail, ...this.stamp(answeredAt) });
  }
}
