import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { identifyProcess } from '../processes/process-identity.js';

const NAME = /^proof-[0-9a-f]{32}$/;
const { O_RDWR, O_SYNC, O_NOFOLLOW, O_NONBLOCK, O_CREAT, O_EXCL, O_WRONLY } = constants;
/** A combination that no program uses by chance: a file that another process was led to open for reading proves nothing. */
const PROVING_FLAGS = O_RDWR | O_SYNC | O_NOFOLLOW;

/** A file that a caller opens to show which process it is: Node cannot ask a socket for its peer. */
export interface Challenge {
  /** Of the file, in the folder that both sides know. */
  readonly name: string;
  /** Whether this process holds the file open now. Where the system does not show that (macOS), whether it is alive. */
  isMetBy(pid: number): boolean;
  close(): void;
}

/** One for each connection: what one caller opened does not prove another. */
export function issueChallenge(folder: string): Challenge {
  const name = `proof-${randomBytes(16).toString('hex')}`;
  const path = join(realpathSync(folder), name);
  closeSync(openSync(path, O_WRONLY | O_CREAT | O_EXCL, 0o600));
  return {
    name,
    isMetBy: (pid) => (process.platform === 'linux' ? holdsOpen(pid, path) : identifyProcess(pid) !== undefined),
    close: () => rmSync(path, { force: true }),
  };
}

/** Opens the requested file until the answer is there. Throws if it is not a challenge of this folder. */
export function meetChallenge(folder: string, name: string): { close(): void } {
  if (!NAME.test(name) || basename(name) !== name) throw new Error(`"${name}" is not a challenge of devs`);
  const fd = openSync(join(folder, name), PROVING_FLAGS | O_NONBLOCK);
  return { close: () => closeSync(fd) };
}

function holdsOpen(pid: number, path: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === path && provingly(pid, fd));
  } catch {
    return false; // gone, of another user, or of another machine's count
  }
}

function provingly(pid: number, fd: string): boolean {
  const [, flags = '0'] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')) ?? [];
  return (Number.parseInt(flags, 8) & PROVING_FLAGS) === PROVING_FLAGS;
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // closed meanwhile
  }
}
