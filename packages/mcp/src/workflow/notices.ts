/** What an agent should know and has not been told yet: an answer that asks for a context action has no place for it. */
export interface Notices {
  add(notice: string): void;
  take(): readonly string[];
}

export function createNotices(): Notices {
  const waiting: string[] = [];
  return { add: (notice) => void waiting.push(notice), take: () => waiting.splice(0) };
}
