export { type Candidate, chooseResults, type RecallResult } from './choose-results.js';
export { createPassageReader, type Passage, type PassageKind, type PassageReader } from './passage.js';
export { parseRecallQuery, type RecallQuery, type RecallTerm, splitNames, toFtsQuery } from './search-words.js';
