/** Pending notices for an agent: an answer that asks for a context action has no room for them. */
export interface Notices {
  add(notice: string): void;
  take(): readonly string[];
}

export function createNotices(): Notices {
  const waiting: string[] = [];
  return { add: (notice) => void waiting.push(notice), take: () => waiting.splice(0) };
}
