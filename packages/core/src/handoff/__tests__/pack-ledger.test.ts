import { describe, expect, it } from 'vitest';
import { addToLedger, ledgerOf } from '../ledger/add-to-ledger.js';
import { packLedger, unpackLedger } from '../ledger/pack-ledger.js';
import { asked, eventsOf, ran, said, shopTranscript } from './transcript.js';

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a ledger that is written down', () => {
  it('is the same when it is read again', () => {
    const ledger = ledgerOf(shopTranscript());
    const again = unpackLedger(throughJson(packLedger(ledger)));
    expect(again).toEqual(ledger);
    expect(throughJson(packLedger(again ?? ledger))).toEqual(throughJson(packLedger(ledger)));
  });

  it('still knows that the first request is one of the requests', () => {
    const again = unpackLedger(throughJson(packLedger(ledgerOf(eventsOf(asked('one'), asked('two'))))));
    expect(again?.firstRequest).toBe(again?.requests[0]);
  });

  it('shares nothing that changes with what it was made from', () => {
    const ledger = ledgerOf(shopTranscript());
    const packed = packLedger(ledger);
    const before = JSON.stringify(packed);
    const again = unpackLedger(packed);
    for (const event of eventsOf(said('go on'), ...ran('npm test -- add-up', 'ok'), asked('more'))) {
      addToLedger(ledger, event);
      if (again !== undefined) addToLedger(again, event);
    }
    expect(JSON.stringify(packed)).toBe(before);
  });

  const packed = () => throughJson(packLedger(ledgerOf(shopTranscript()))) as Record<string, unknown>;
  const mentions = () => packed().mentions as Record<string, unknown>;

  it.each([
    ['nothing', undefined],
    ['a text', 'ledger'],
    ['of another version', { ...packed(), version: 0 }],
    ['without a part', { ...packed(), notes: undefined }],
    ['with a part of another type', { ...packed(), files: { path: 'a' } }],
    ['with an entry of another type', { ...packed(), requests: ['hello'] }],
    ['with more names than numbers', { ...packed(), mentions: { ...mentions(), acted: 'one\ntwo\nthree' } }],
    ['with fewer numbers than texts', { ...packed(), mentions: { ...mentions(), shownNumbers: [] } }],
  ])('is not taken where it is %s', (_, value) => {
    expect(unpackLedger(value)).toBeUndefined();
  });
});
