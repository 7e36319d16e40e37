import type { ReportWords } from '@devs/core';
import type { Services } from '../compose.js';
import { absoluteTime, describeSpan } from '../time/describe-time.js';
import { grouped } from '../words.js';

export const reportWords = ({ timeZone }: Pick<Services, 'timeZone'>): ReportWords => ({
  time: (at) => absoluteTime(at, { timeZone }),
  span: describeSpan,
  number: grouped,
});
