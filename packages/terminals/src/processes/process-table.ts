import { listProcesses, type ProcessInfo, readEnvironment } from './list-processes.js';
import { type Belonging, readBelonging } from './process-mark.js';

/** All processes of the system, looked at together: ending two hundred agents must not read everything a thousand times. */
export interface ProcessTable {
  /** What runs at some moment after it was asked for; who asks at once shares one look. */
  look(): Promise<readonly ProcessInfo[]>;
  /** Whose a process is. It is read once: a child that clears its environment later stays known. */
  belongingOf(process: ProcessInfo): Belonging;
}

export function createProcessTable(): ProcessTable {
  let known = new Map<string, Belonging>();
  let next: Promise<readonly ProcessInfo[]> | undefined;

  const belongingOf = (process: ProcessInfo) => {
    const key = keyOf(process);
    const belonging = known.get(key) ?? readBelonging(readEnvironment(process.pid));
    known.set(key, belonging);
    return belonging;
  };
  const lookNow = () => {
    next = undefined;
    const processes = listProcesses();
    known = new Map(processes.map((process) => [keyOf(process), belongingOf(process)])); // and forget those that ended
    return processes;
  };

  return {
    look() {
      next ??= new Promise((resolve) => setImmediate(() => resolve(lookNow())));
      return next;
    },
    belongingOf,
  };
}

const keyOf = ({ pid, started }: ProcessInfo) => `${pid} ${started}`;
