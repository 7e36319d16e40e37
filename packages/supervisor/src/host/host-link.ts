import { type TerminalHost, TerminalHostUnavailableError } from '@devs/terminals';

/** The host of a terminal, also after it was started anew. */
export interface HostLink {
  /** Does something with the host; once more with the next one where it went away meanwhile. */
  use<T>(work: (host: TerminalHost) => Promise<T>): Promise<T>;
  close(): void;
}

export interface HostLinkOptions {
  /** Connects; ends processes of an earlier host, which are unreachable now. */
  openHost(): Promise<TerminalHost>;
  /** The host has died, and every agent that it held with it. */
  onLost(): void;
}

export function createHostLink({ openHost, onLost }: HostLinkOptions): HostLink {
  let connecting: Promise<TerminalHost> | undefined;
  let closed = false;

  const connect = (): Promise<TerminalHost> => {
    if (connecting !== undefined) return connecting;
    const next = openHost().then((host) => {
      host.onLost(() => {
        if (connecting === next) connecting = undefined;
        if (!closed) onLost();
      });
      return host;
    });
    next.catch(() => {
      if (connecting === next) connecting = undefined;
    });
    connecting = next;
    return next;
  };

  return {
    async use(work) {
      const first = await connect();
      try {
        return await work(first);
      } catch (error) {
        if (!(error instanceof TerminalHostUnavailableError) || closed) throw error;
        connecting = undefined;
        return work(await connect());
      }
    },
    close() {
      closed = true;
      void connecting?.then((host) => host.close()).catch(() => {});
    },
  };
}
