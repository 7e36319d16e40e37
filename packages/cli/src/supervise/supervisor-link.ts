import type { SupervisorPort } from '@devs/supervisor';
import { findSupervisor, type ReachRequest, reachSupervisor } from './reach-supervisor.js';
import { type SupervisorClient, SupervisorLostError } from './wire/connect-supervisor.js';

/** The supervisor of the user, also after it was started again. */
export interface SupervisorLink {
  /** Asks it, and starts one where there is none. Asks the next one again where it is lost meanwhile: what is asked may be repeated. */
  use<T>(work: (port: SupervisorPort) => Promise<T>, news?: LinkNews): Promise<T>;
  /** Asks the one that runs. `undefined` where there is none. */
  ask<T>(work: (port: SupervisorPort) => Promise<T>): Promise<T | undefined>;
  close(): void;
}

interface LinkNews {
  onLost?(): void;
  /** Another one is there. */
  onFound?(port: SupervisorPort): Promise<void>;
}

export function createSupervisorLink(request: () => Promise<ReachRequest>): SupervisorLink {
  let connected: Promise<SupervisorClient> | undefined;
  const connect = async (): Promise<SupervisorClient> => {
    const known = await connected?.catch(() => undefined);
    if (known !== undefined && !known.isLost) return known;
    connected = request().then(reachSupervisor);
    connected.catch(() => {
      connected = undefined;
    });
    return connected;
  };
  return {
    async use(work, { onLost, onFound } = {}) {
      for (let isAgain = false; ; isAgain = true) {
        const { port } = await connect();
        try {
          if (isAgain) await onFound?.(port);
          return await work(port);
        } catch (error) {
          if (!(error instanceof SupervisorLostError)) throw error;
          onLost?.();
        }
      }
    },
    async ask(work) {
      const known = await connected?.catch(() => undefined);
      const client = known !== undefined && !known.isLost ? known : await findSupervisor(await request());
      if (client === undefined) return undefined;
      try {
        return await work(client.port);
      } catch (error) {
        if (error instanceof SupervisorLostError) return undefined;
        throw error;
      } finally {
        if (client !== known) client.close();
      }
    },
    close() {
      void connected?.then((client) => client.close()).catch(() => {});
    },
  };
}
