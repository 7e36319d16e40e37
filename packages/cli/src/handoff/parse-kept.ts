import { type HandoffDocument, parseHandoffDocument } from '@devs/core';

/** A document that was kept, from its text; nothing for another kind of value. Throws where it is no JSON. */
export const parseKept = (text: string): HandoffDocument | undefined => parseHandoffDocument(JSON.parse(text));
