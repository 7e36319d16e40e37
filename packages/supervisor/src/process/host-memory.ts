import { type TerminalHost, TerminalHostRefusedError } from '@devs/terminals';
import type { SecretMemory } from './vault.js';

/** How the host starts this supervisor again. */
interface Restart {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The supervisor's own connection to the host, which guards it and remembers its keys. */
export interface HostMemory extends SecretMemory {
  /** What this host cannot do, for people. */
  readonly problems: readonly string[];
  /** Whether there is something to supervise: then the host starts a supervisor that is lost. */
  guard(isBusy: boolean): Promise<void>;
  /** `guarded`: what is left needs the next supervisor, which the host starts. */
  close(options: { readonly guarded: boolean }): Promise<void>;
}

interface HostMemoryDeps {
  openHost(): Promise<TerminalHost>;
  readonly restart: Restart;
}

const AGAIN_MS = 1_000;

export function createHostMemory({ openHost, restart }: HostMemoryDeps): HostMemory {
  const secrets = new Map<string, string>();
  let connecting: Promise<TerminalHost> | undefined;
  let [isBusy, isClosed, isOld] = [false, false, false];

  const order = { command: [...restart.command], cwd: restart.cwd, env: { ...restart.env } };
  const connect = (): Promise<TerminalHost> => {
    connecting ??= openHost().then(async (host) => {
      host.onLost(() => {
        connecting = undefined;
        if (isBusy) again(); // the next one knows nothing yet
      });
      for (const [name, data] of secrets) await ask(() => host.entrust(name, data));
      if (isBusy) await ask(() => host.guard(order));
      return host;
    });
    connecting.catch(() => {
      connecting = undefined;
    });
    return connecting;
  };
  const again = () => {
    if (!isClosed) void connect().catch(() => setTimeout(again, AGAIN_MS).unref());
  };
  const ask = <T>(work: () => Promise<T>): Promise<T | undefined> =>
    unlessRefused(work, () => {
      isOld = true;
    });
  return {
    get problems() {
      return isOld ? ['the host of the terminals is of an older devs: it does not start a lost supervisor again'] : [];
    },
    async entrust(name, data) {
      if (data === undefined) secrets.delete(name);
      else secrets.set(name, data);
      const host = await connect();
      await ask(() => host.entrust(name, data));
    },
    async entrusted(name) {
      const host = await connect();
      const data = await ask(() => host.entrusted(name));
      if (data !== undefined) secrets.set(name, data);
      return data;
    },
    async guard(next) {
      if (next === isBusy) return;
      isBusy = next;
      if (!next && connecting === undefined) return;
      const host = await connect();
      await ask(() => (next ? host.guard(order) : host.unguard()));
    },
    async close({ guarded }) {
      isClosed = true;
      const host = await connecting?.catch(() => undefined);
      if (isBusy && !guarded && host !== undefined) await ask(() => host.unguard()).catch(() => {});
      host?.close();
    },
  };
}

/** A host of an older devs does not support everything: agents continue, and no supervisor is restarted. */
async function unlessRefused<T>(work: () => Promise<T>, onRefused: () => void): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TerminalHostRefusedError) || error.refusal !== 'bad-request') throw error;
    onRefused();
    return undefined;
  }
}
