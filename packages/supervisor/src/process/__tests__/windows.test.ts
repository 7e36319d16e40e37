import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWindows } from '../windows.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function openScene() {
  const told: object[] = [];
  return { told, windows: createWindows((is) => told.push(is)) };
}

describe('windows in front of a terminal', () => {
  it('[H17] keep their user there between two calls, and until they are silent', () => {
    const { windows, told } = openScene();
    windows.open('a')();
    vi.advanceTimersByTime(4_000);
    windows.open('a')();
    vi.advanceTimersByTime(4_000);
    expect(told).not.toContainEqual({ attached: false });
    vi.advanceTimersByTime(2_000);
    expect(told.at(-1)).toEqual({ attached: false });
    expect(windows.isEmpty).toBe(true);
  });

  it('say that their user left when the last one does', () => {
    const { windows, told } = openScene();
    windows.open('a')();
    const close = windows.open('b');
    windows.leave('a');
    expect(told).not.toContainEqual({ left: true });
    windows.leave('b');
    close();
    vi.advanceTimersByTime(60_000);
    expect(told.at(-1)).toEqual({ left: true });
  });

  it('that are not known leave nothing', () => {
    const { windows, told } = openScene();
    windows.leave('a');
    expect(told).toEqual([]);
  });
});
