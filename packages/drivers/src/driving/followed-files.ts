import type { ConversationEvent, JsonObject } from '@devs/core';
import { eventStanding } from './event-standing.js';
import type { StatusFact } from './standing-fact.js';
import {
  createTranscriptTail,
  type TailListener,
  type TranscriptKind,
  type TranscriptTail,
} from './transcript-tail.js';

/** How to read what an agent writes. */
export interface FileReaders {
  readonly transcript: TranscriptKind | OwnTranscript;
  /** Pure: facts in a record that the neutral events leave out. */
  recordStanding(record: JsonObject): readonly StatusFact[];
  /** Of a file that a program of devs writes beside the transcript: it tells of turns, and the transcript of the rest. */
  readonly beside?: {
    readonly kind: TranscriptKind;
    recordStanding(record: JsonObject): readonly StatusFact[];
  };
}

/** Where a transcript is no file of lines. */
interface OwnTranscript {
  openTail(path: string): TranscriptTail;
}

export interface FilesListener {
  /** In their order, while the transcript is read. */
  onFacts(facts: readonly StatusFact[]): void;
  /** The transcript was replaced: the facts from before are invalid. */
  onStartOver(): void;
  onUnreadable(path: string, error: unknown): void;
}

/** Only the newest of a batch of old events are reported: a full conversation is in its transcript. */
const MAX_EVENTS = 1_000;

const OF_TURNS: ReadonlySet<StatusFact['type']> = new Set(['turn-began', 'turn-ended', 'interrupted']);

/** The transcript of a conversation and the file beside it, where there are such, each read on from its last line. */
export class FollowedFiles {
  #transcript: TranscriptTail | undefined;
  #beside: TranscriptTail | undefined;

  constructor(
    private readonly readers: FileReaders,
    private readonly listener: FilesListener,
    private readonly signal: AbortSignal,
  ) {}

  get transcript(): string | undefined {
    return this.#transcript?.path;
  }

  get areNone(): boolean {
    return this.#transcript === undefined && this.#beside === undefined;
  }

  leaveTranscript(): void {
    this.#transcript = undefined;
  }

  follow({ path, beside }: { readonly path?: string; readonly beside?: string }): void {
    const { transcript, beside: program } = this.readers;
    if (path !== undefined && this.#transcript?.path !== path) {
      this.#transcript = 'openTail' in transcript ? transcript.openTail(path) : createTranscriptTail(path, transcript);
    }
    if (program !== undefined && beside !== undefined && this.#beside?.path !== beside) {
      this.#beside = createTranscriptTail(beside, program.kind);
    }
  }

  /** The new facts of the file beside the transcript. */
  async readBeside(): Promise<readonly StatusFact[]> {
    const { beside } = this.readers;
    let facts: StatusFact[] = [];
    await this.#read(this.#beside, {
      onRecord: (record) => void facts.push(...(beside?.recordStanding(record) ?? [])),
      onEvents: (found) => void facts.push(...found.flatMap(eventStanding)),
      onStartOver() {
        facts = [];
      },
    });
    return facts;
  }

  /** The newest events of the transcript; its facts go to the listener. */
  async readTranscript(): Promise<readonly ConversationEvent[]> {
    let events: ConversationEvent[] = [];
    await this.#read(this.#transcript, {
      onRecord: (record) => this.#tell(this.readers.recordStanding(record)),
      onEvents: (found) => {
        for (const event of found) this.#tell(eventStanding(event));
        events.push(...found);
        if (events.length > 2 * MAX_EVENTS) events = events.slice(-MAX_EVENTS);
      },
      onStartOver: () => {
        this.listener.onStartOver();
        events = [];
      },
    });
    return events.slice(-MAX_EVENTS);
  }

  #tell(facts: readonly StatusFact[]): void {
    this.listener.onFacts(this.#beside === undefined ? facts : facts.filter(({ type }) => !OF_TURNS.has(type)));
  }

  async #read(tail: TranscriptTail | undefined, listener: TailListener): Promise<void> {
    try {
      await tail?.read(listener, this.signal);
    } catch (error) {
      if (tail !== undefined) this.listener.onUnreadable(tail.path, error);
    }
  }
}
