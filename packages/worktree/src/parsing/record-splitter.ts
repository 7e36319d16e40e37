/** Cuts output with `-z` into its records. A record that is too long to be one is left out. */
export function createRecordSplitter(onRecord: (record: string) => void) {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  return {
    add(chunk: Buffer) {
      let from = 0;
      for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
        const last = chunk.subarray(from, end);
        if (waitingBytes + last.length <= MAX_BYTES) onRecord(Buffer.concat([...waiting, last]).toString('utf8'));
        waiting = [];
        waitingBytes = 0;
        from = end + 1;
      }
      const rest = chunk.subarray(from);
      waitingBytes += rest.length;
      if (waitingBytes > MAX_BYTES) waiting = [];
      else if (rest.length > 0) waiting.push(rest);
    },
  };
}

const MAX_BYTES = 1 << 20;
