import type { StoreBackend } from '@devs/core';
import type { StatusAnswer } from '../status-answer.js';

export class Killed extends Error {}

/**
 * A life that ends before or after its nth effect, as `kill -9` would end it. Effects are writes to the store and
 * answers. After its end it has no effect.
 */
export function createLife(endsAt: number) {
  let points = 0;
  let isOver = false;
  let delivered: StatusAnswer | undefined;
  const point = () => {
    if (isOver || points++ === endsAt) {
      isOver = true;
      throw new Killed();
    }
  };
  const mortal = (backend: StoreBackend): StoreBackend => ({
    ...backend,
    async commit(commit) {
      point();
      const result = await backend.commit(commit);
      point();
      return result;
    },
  });
  const deliver = async (answer: StatusAnswer) => {
    point();
    delivered = answer;
    point();
  };
  return {
    mortal,
    deliver,
    /** What reached the client although the server died right after. */
    takeDelivered() {
      const answer = delivered;
      delivered = undefined;
      return answer;
    },
    get points() {
      return points;
    },
  };
}
