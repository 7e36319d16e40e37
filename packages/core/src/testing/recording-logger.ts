import type { LogEvent, Logger } from '../ports/logger.js';

export interface RecordingLogger extends Logger {
  readonly events: readonly LogEvent[];
  names(): string[];
}

export function createRecordingLogger(): RecordingLogger {
  const events: LogEvent[] = [];
  return {
    events,
    log: (event) => void events.push(event),
    names: () => events.map(({ event }) => event),
  };
}
