import type { Body } from '../apis/api-format.js';
import type { Decision } from '../decide/decide-reply.js';
import type { Reply } from '../reply/reply.js';
import type { ModelRequest } from '../request/model-request.js';
import type { Purpose } from '../request/purpose-of.js';

/** A request of an agent, and its answer. */
export interface RecordedRequest extends ModelRequest {
  /** From 1. */
  readonly number: number;
  readonly at: number;
  readonly path: string;
  readonly purpose: Purpose;
  /** The user's last prompt. */
  readonly prompt: string;
  /** Why this was the answer. */
  readonly source: Decision['source'];
  readonly reply: Reply;
  /** As it is now. */
  readonly outcome: Outcome;
  /** As it came. */
  readonly body: Body;
}

/** `abandoned`: the client went away before the answer was over. */
export type Outcome = 'answering' | 'answered' | 'refused' | 'broken' | 'abandoned';

/** A request that is no call to the model. */
export interface OtherRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}
