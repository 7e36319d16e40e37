import type { AgentDriver } from '@devs/core';
import { createManualClock } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { createAttendance } from '../attendance.js';

const MINUTE_MS = 60_000;

function openAttendance() {
  const clock = createManualClock();
  const attendance = createAttendance({
    driver: {} as AgentDriver, // nothing is drawn
    clock,
    attendedMs: 15 * MINUTE_MS,
    isAttached: false,
  });
  return { clock, attendance, isAttended: () => attendance.isAttended(undefined) };
}

describe('a user who goes away', () => {
  it('counts as there for a while where their window was closed', () => {
    const { clock, attendance, isAttended } = openAttendance();
    attendance.note({ attached: true, typed: true });
    attendance.note({ attached: false });
    expect(isAttended()).toBe(true);
    clock.advance(16 * MINUTE_MS);
    expect(isAttended()).toBe(false);
  });

  it('is away at once where they detached', () => {
    const { attendance, isAttended } = openAttendance();
    attendance.note({ attached: true, typed: true });
    attendance.note({ left: true });
    expect(isAttended()).toBe(false);
  });
});
