import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOtherWindows } from '../other-windows.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watched(isAttachedHere: boolean) {
  const told: object[] = [];
  const windows = createOtherWindows({ user: (is) => told.push(is) }, isAttachedHere);
  return { windows, told };
}

describe('a window that does not supervise its terminal', () => {
  it('[H17] makes its user one who is there, until it says nothing any more', () => {
    const { windows, told } = watched(false);
    windows.heard({ attached: true, typed: true });
    vi.advanceTimersByTime(4_000);
    windows.heard({ attached: true, typed: false });
    vi.advanceTimersByTime(4_000);
    expect(told).toEqual([
      { attached: true, typed: true },
      { attached: true, typed: false },
    ]);
    vi.advanceTimersByTime(2_000);
    expect(told.at(-1)).toEqual({ attached: false });
  });

  it('says farewell, and is not waited for then', () => {
    const { windows, told } = watched(false);
    windows.heard({ attached: true, typed: false });
    windows.heard({ attached: false, typed: false });
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([{ attached: true, typed: false }, { left: true }]);
  });

  it('does not take the user away from the window that supervises', () => {
    const { windows, told } = watched(true);
    windows.heard({ attached: false, typed: true });
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([{ typed: true }]);
  });
});
