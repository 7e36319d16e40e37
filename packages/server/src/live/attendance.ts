import type { ServedSupervisor } from '../served-supervisor.js';

/** Viewers with a keyboard, by terminal: the last to leave ends the attendance. */
export interface Attendance {
  /** Gives how to say that they typed, and that they left. */
  attend(terminal: string): { typed(): void; leave(): void };
}

/** The supervisor hears of keys at most this often. */
const TYPED_MS = 1_000;

export function createAttendance({ user }: Pick<ServedSupervisor, 'user'>): Attendance {
  const there = new Map<string, number>();
  return {
    attend(terminal) {
      there.set(terminal, (there.get(terminal) ?? 0) + 1);
      user(terminal, { attached: true });
      let typedAt = Number.NEGATIVE_INFINITY;
      let hasLeft = false;
      return {
        typed() {
          const now = performance.now();
          if (now - typedAt < TYPED_MS) return;
          typedAt = now;
          user(terminal, { typed: true });
        },
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          const left = (there.get(terminal) ?? 1) - 1;
          if (left > 0) there.set(terminal, left);
          else {
            there.delete(terminal);
            user(terminal, { attached: false });
          }
        },
      };
    },
  };
}
