/** What another process of the same user may ask of whoever supervises a terminal. */
export type ControlRequest =
  | { readonly do: 'status' }
  | { readonly do: 'send'; readonly text: string }
  | { readonly do: 'renew' }
  | { readonly do: 'undo' }
  | { readonly do: 'stop' }
  /** The user is back: one who only keeps it for him lets go. */
  | { readonly do: 'hand-over' };

export type ControlAnswer =
  | { readonly status: 'done'; readonly result: unknown }
  | { readonly status: 'failed'; readonly error: string };

/** `undefined` for what is no request. */
export function parseControlRequest(line: string): ControlRequest | undefined {
  const value = parseObject(line);
  switch (value?.do) {
    case 'status':
    case 'renew':
    case 'undo':
    case 'stop':
    case 'hand-over':
      return { do: value.do };
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
