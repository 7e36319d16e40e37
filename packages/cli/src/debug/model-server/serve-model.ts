import type { Readable } from 'node:stream';
import type { Clock } from '@devs/core';
import type { ModelServer, ModelServerOptions, OtherRequest, RecordedRequest } from '@devs/scripted-model';
import { CliError } from '../../cli-error.js';
import { visible } from '../../screen/visible.js';
import { readScenarioFile } from './read-scenario-file.js';

export interface ModelServerRequest {
  readonly scenarioFile?: string | undefined;
  readonly port?: number | undefined;
  readonly recordFile?: string | undefined;
  readonly window?: number | undefined;
  readonly untilStdinEnds?: boolean | undefined;
}

interface ModelServerWatch {
  readonly signal: AbortSignal;
  readonly onReady: (url: string) => void;
  readonly onRequest: (request: RecordedRequest) => void;
  readonly onOther: (request: OtherRequest) => void;
}

/** Serves the scripted model until it is stopped, or until stdin ends if requested. */
export type ServeModel = (request: ModelServerRequest, watch: ModelServerWatch) => Promise<void>;

interface ServeModelDeps {
  /** Loaded when it is first needed: no other command needs it. */
  readonly loadModel: () => Promise<typeof import('@devs/scripted-model')>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly stdin: Readable;
}

export const createServeModel =
  ({ loadModel, clock, newId, stdin }: ServeModelDeps): ServeModel =>
  async (request, { signal, onReady, onRequest, onOther }) => {
    const model = await loadModel();
    const server = await start(model, request, {
      clock,
      // Unlike in tests: an agent may continue its conversation after this server was restarted.
      ids: (prefix) => `${prefix}_${newId().replaceAll('-', '')}`,
      onRequest,
      onOther,
    });
    try {
      onReady(server.url);
      await Promise.race([aborted(signal), ...(request.untilStdinEnds ? [ended(stdin)] : [])]);
    } finally {
      await server.close();
    }
  };

async function start(
  model: typeof import('@devs/scripted-model'),
  { scenarioFile, port, recordFile, window }: ModelServerRequest,
  options: ModelServerOptions,
): Promise<ModelServer> {
  const scenario = scenarioFile === undefined ? model.EMPTY_SCENARIO : await readScenarioFile(model, scenarioFile);
  try {
    return await model.startModelServer({
      ...options,
      scenario: { ...scenario, ...(window !== undefined && { window }) },
      ...(port !== undefined && { port }),
      ...(recordFile !== undefined && { record: recordFile }),
    });
  } catch (error) {
    throw explain(error, { port, recordFile });
  }
}

function explain(error: unknown, { port, recordFile }: Pick<ModelServerRequest, 'port' | 'recordFile'>): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen') {
    return new CliError(`port ${port} cannot be used (${code}). Name another one, or leave out --port.`);
  }
  if (syscall !== 'open' || recordFile === undefined) return error;
  return new CliError(`${visible(recordFile)} cannot be written (${code}). Name another file with --record.`);
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

const ended = (stdin: Readable) =>
  new Promise<void>((resolve) => {
    stdin
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve())
      .resume();
  });
