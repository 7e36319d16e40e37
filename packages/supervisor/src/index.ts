export { beginRenewal, type RenewalBegun, type RenewalDeps, type RenewalRequest } from './renewal/begin-renewal.js';
export { finishRenewal } from './renewal/finish-renewal.js';
export type { RenewalPerformer } from './renewal/renewal-performer.js';
export { createRenewalRecord, type RenewalRecord, terminalStream } from './renewal/renewal-record.js';
