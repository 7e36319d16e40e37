export const SLOTS = 8;
export const BARE_PREFIX = 'bare';

/** What a task is about, of the usual length. */
export const INTENT = 'Make the login form remember the user, and say so below it when it does not';
