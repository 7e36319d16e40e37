const PLACE = 'refs/devs/checkpoints';

/** Where the checkpoint of a terminal is kept, in the hidden repository. */
export function checkpointRef(terminal: string, number: number): string {
  return `${PLACE}/${refPart(terminal)}/${number}`;
}

/** Any name as one part of a ref. Replaced characters become their code, so that two names stay distinct. */
function refPart(name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9-]/g, (sign) => `_${sign.codePointAt(0)?.toString(16)}_`);
  return safe === '' ? '_' : safe;
}
