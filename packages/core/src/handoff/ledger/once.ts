/** A value that is worked out when it is first wanted. What it is made from is let go then. */
export function once<Value>(make: () => Value): () => Value {
  let pending: (() => Value) | undefined = make;
  let value: Value | undefined;
  return () => {
    if (pending !== undefined) {
      value = pending();
      pending = undefined;
    }
    return value as Value;
  };
}
