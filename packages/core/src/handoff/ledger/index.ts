// An entry of its own, `@devs/core/ledger`: who only reads transcripts does not wait for everything else to load.
export { addToLedger, ledgerOf } from './add-to-ledger.js';
export { createLedger, type Ledger } from './ledger.js';
export { packLedger, unpackLedger } from './pack-ledger.js';
