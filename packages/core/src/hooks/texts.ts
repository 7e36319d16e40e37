// Needed by a hook that has something to say.
export { openMatters } from './open-matters.js';
export { renderReminder, type SpecTexts } from './render-reminder.js';
export { currentSummary, withoutKnown } from './without-known.js';
