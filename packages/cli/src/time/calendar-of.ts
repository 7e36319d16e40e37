import type { Services } from '../compose.js';
import type { Calendar } from './describe-time.js';

export const calendarOf = ({ clock, timeZone }: Pick<Services, 'clock' | 'timeZone'>): Calendar => ({
  now: clock.now(),
  timeZone,
});
