/** What libraries write to, besides the agent's own screen. */
const WRITERS = ['log', 'info', 'warn', 'error', 'debug'] as const;

/**
 * Keeps libraries from writing to the terminal of an agent: a warning on its screen would look like work. Returns a
 * function that restores the previous state.
 */
export function quietProcess(console: Console, process: Pick<NodeJS.Process, 'listeners' | 'on' | 'off'>): () => void {
  const before = WRITERS.map((name) => [name, console[name]] as const);
  for (const name of WRITERS) console[name] = () => {};
  const warners = process.listeners('warning');
  for (const warner of warners) process.off('warning', warner);
  return () => {
    for (const [name, write] of before) console[name] = write;
    for (const warner of warners) process.on('warning', warner);
  };
}
