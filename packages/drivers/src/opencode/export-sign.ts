/** What `opencode export` prints begins like this: the session, then its messages. */
export const EXPORT = /^\s*\{\s*"info"\s*:\s*\{[^{}]*"id"\s*:\s*"ses_/;
