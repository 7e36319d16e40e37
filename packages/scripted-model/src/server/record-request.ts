import type { ApiFormat, Body } from '../apis/api-format.js';
import type { ModelRequest } from '../request/model-request.js';
import type { Outcome, RecordedRequest } from './recorded-request.js';

type Facts = Omit<RecordedRequest, 'body' | 'system' | 'messages' | 'tools' | 'outcome'>;

/**
 * A stored request: the received bytes, parsed again on demand. A parsed request takes several times the memory, and
 * most of the thousands kept are never read.
 */
export function recordRequest(facts: Facts, { api, bytes, outcome }: Kept): RecordedRequest {
  let read: WeakRef<{ readonly body: Body; readonly request: ModelRequest }> | undefined;
  const reread = () => {
    const known = read?.deref();
    if (known !== undefined) return known;
    const body = JSON.parse(bytes.toString('utf8')) as Body;
    const fresh = { body, request: api.parse(body, {}, facts.path) };
    read = new WeakRef(fresh);
    return fresh;
  };
  return {
    ...facts,
    get body() {
      return reread().body;
    },
    get system() {
      return reread().request.system;
    },
    get messages() {
      return reread().request.messages;
    },
    get tools() {
      return reread().request.tools;
    },
    get outcome() {
      return outcome();
    },
  };
}

interface Kept {
  readonly api: ApiFormat;
  /** JSON, and known to be right. */
  readonly bytes: Buffer;
  readonly outcome: () => Outcome;
}
