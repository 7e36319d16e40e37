// Needed by a hook on every call. Separate from `texts.ts`, since loading takes most of its time.
export { decideReminder, type ReminderCount, type ReminderDecision, type SpecsSeen } from './decide-reminder.js';
export { SPEC_FOLDERS, type SpecKind, specKindOf } from './spec-kind.js';
