import type { StartRunOutcome } from '../run.js';

export type Refused = Extract<StartRunOutcome, { status: 'refused' }>;
