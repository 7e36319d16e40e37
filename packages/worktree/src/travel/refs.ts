/** Where work waits for other machines: outside of branches and tags, so that no fetch or CI of others sees it. */
export const runRef = (runId: string): string => `refs/devs/runs/${runId}`;

/** A commit that tasks begin at. */
export const taskBaseRef = (commit: string): string => `refs/devs/bases/${commit}`;
