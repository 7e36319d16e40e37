// Needed by a hook that makes a document: without the rest of core, which takes longer to load than the document takes.
export { buildHandoff } from '../handoff/document/build-document.js';
export { renderHandoff } from '../handoff/render/render-handoff.js';
export { redactJson } from '../redaction/redact-json.js';
export { redactText } from '../redaction/redact-text.js';
