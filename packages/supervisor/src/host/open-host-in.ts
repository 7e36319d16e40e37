import { type ConnectRequest, connectHost, endLeftovers, type TerminalHost } from '@devs/terminals';

const GRACE_MS = 2_000;

/** The host of a folder. What dead hosts left running there has lost its terminal for good, and is ended first. */
export async function openHostIn(request: ConnectRequest): Promise<TerminalHost> {
  const { host, leftovers } = await connectHost(request);
  if (leftovers.length > 0) await endLeftovers(request.folder, { graceMs: GRACE_MS });
  return host;
}
