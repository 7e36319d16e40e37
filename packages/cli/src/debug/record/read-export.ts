import { believed, type JsonObject, type StoredEvent } from '@devs/core';
import { CliError } from '../../cli-error.js';
import { EXPORT_HEADER, type ExportFooter } from './export-format.js';

/** The last moment that a date can tell. */
const LAST_TIME = 8.64e15;

const STREAM = /^[a-z][a-z-]*:[A-Za-z0-9][A-Za-z0-9._-]*$/;
const EVENT_TYPE = /^[a-z][a-z-]*\.[a-z][a-z-]*$/;

export type ExportPart =
  | { readonly kind: 'event'; readonly event: StoredEvent }
  | { readonly kind: 'footer'; readonly footer: ExportFooter };

/** The events of an export and its footer, each checked: a line that cannot follow the ones before it is an error. */
export async function* readExport(lines: AsyncIterable<string>): AsyncIterable<ExportPart> {
  const versions = new Map<string, number>();
  let number = 0;
  let events = 0;
  let isComplete = false;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    if (isComplete) throw broken(number, 'there is more behind the end of the export');
    const value = parseLine(line, number);
    if (number === 1) {
      if (value.devs_log !== EXPORT_HEADER.devs_log) {
        throw broken(number, 'this is no export of `devs debug export`, or one of a newer devs');
      }
      continue;
    }
    if ('leases' in value) {
      const footer = parseFooter(value, number);
      if (footer.events !== events) throw broken(number, `${footer.events} events are promised, ${events} are there`);
      isComplete = true;
      yield { kind: 'footer', footer };
      continue;
    }
    const event = parseEvent(value, number);
    const version = versions.get(event.stream) ?? 0;
    if (event.position !== events + 1) throw broken(number, `position ${events + 1} is missing`);
    if (event.version !== version + 1) throw broken(number, `version ${version + 1} of ${event.stream} is missing`);
    versions.set(event.stream, event.version);
    events++;
    yield { kind: 'event', event };
  }
  if (!isComplete)
    throw new CliError(`the export is cut off behind line ${number}: its last line is missing. Export it again.`);
}

function parseLine(line: string, number: number): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw broken(number, 'it is no JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw broken(number, 'it is no JSON object');
  return value as JsonObject;
}

function parseEvent(value: JsonObject, number: number): StoredEvent {
  const { position, stream, version, at, type, data } = value;
  const isEvent =
    isCount(position) &&
    isCount(version) &&
    isCount(at) &&
    at <= LAST_TIME &&
    typeof stream === 'string' &&
    STREAM.test(stream) &&
    typeof type === 'string' &&
    EVENT_TYPE.test(type) &&
    typeof data === 'object' &&
    data !== null &&
    !Array.isArray(data);
  if (!isEvent) throw broken(number, 'it is no event (position, stream, version, at, type, data)');
  return { position, stream, version, at, type, data: data as JsonObject };
}

function parseFooter({ events, leases }: JsonObject, number: number): ExportFooter {
  const isFooter =
    isCount(events) &&
    Array.isArray(leases) &&
    leases.every(({ task, fence, until }) => typeof task === 'string' && isCount(fence) && isCount(until));
  if (!isFooter) throw broken(number, 'it is no end of an export (events, leases)');
  return believed({ events, leases });
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const broken = (line: number, problem: string) =>
  new CliError(`line ${line} of the export: ${problem}. Nothing of it is used; export it again.`);
