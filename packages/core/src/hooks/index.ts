// What a hook needs on every call: kept apart from `texts.ts`, since loading takes most of its time.
export { decideReminder, type ReminderCount, type ReminderDecision, type SpecsSeen } from './decide-reminder.js';
export { SPEC_FOLDERS, type SpecKind, specKindOf } from './spec-kind.js';
