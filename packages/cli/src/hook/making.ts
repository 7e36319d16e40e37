// What a hook needs to make a document, as one part of its bundle: each further file takes as long to load as a page to read.
export { buildHandoff, redactJson, redactText, renderHandoff } from '@devs/core/hooks/handoff';
export { currentSummary, openMatters, withoutKnown } from '@devs/core/hooks/texts';
export { readLedger, TRANSCRIPT_SOURCES } from '@devs/drivers/transcripts';
