/** What another process of the same user may ask of whoever supervises a terminal. */
export type ControlRequest =
  | { readonly do: 'status' }
  | { readonly do: 'send'; readonly text: string }
  /** `dropsDraft`: also where the user has typed something there that he has not sent. */
  | { readonly do: 'renew'; readonly dropsDraft: boolean }
  | { readonly do: 'undo' }
  | { readonly do: 'stop' }
  /** The user is back: one who only keeps it for him lets go. */
  | { readonly do: 'hand-over' }
  /** He sits in front of it in a window that does not supervise it. Said again and again: a window that is killed says no farewell. */
  | { readonly do: 'user'; readonly attached: boolean; readonly typed: boolean };

export type ControlAnswer =
  | { readonly status: 'done'; readonly result: unknown }
  | { readonly status: 'failed'; readonly error: string };

/** A request, and the process that says it makes it. */
export interface ControlCall {
  readonly request: ControlRequest;
  readonly pid: number;
}

/** `undefined` for a line that is not a request, and for one of an older devs, which does not say who asks. */
export function parseControlCall(line: string): ControlCall | undefined {
  const value = parseObject(line);
  const request = requestIn(value);
  const pid = value?.pid;
  return request === undefined || !isPid(pid) ? undefined : { request, pid };
}

/** The file that the caller opens, where this whole line asks for that. */
export function parseChallenge(text: string): string | undefined {
  const challenge = text.endsWith('\n') ? parseObject(text)?.challenge : undefined;
  return typeof challenge === 'string' ? challenge : undefined;
}

const isPid = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

function requestIn(value: Readonly<Record<string, unknown>> | undefined): ControlRequest | undefined {
  switch (value?.do) {
    case 'status':
    case 'undo':
    case 'stop':
    case 'hand-over':
      return { do: value.do };
    case 'renew':
      return { do: 'renew', dropsDraft: value.dropsDraft === true };
    case 'user':
      return { do: 'user', attached: value.attached === true, typed: value.typed === true };
    case 'send':
      return typeof value.text === 'string' ? { do: 'send', text: value.text } : undefined;
    default:
      return undefined;
  }
}

export function parseControlAnswer(line: string): ControlAnswer | undefined {
  const value = parseObject(line);
  if (value?.status === 'done') return { status: 'done', result: value.result };
  return value?.status === 'failed' ? { status: 'failed', error: String(value.error) } : undefined;
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
