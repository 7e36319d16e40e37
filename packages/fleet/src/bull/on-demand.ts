import type { Dispatcher } from '@devs/core';
import type { BullOptions } from './open-bull-dispatcher.js';

/** BullMQ takes longer to load than most commands take, and few projects need it. */
export const openBullDispatcher = async (options: BullOptions): Promise<Dispatcher> =>
  (await import('./open-bull-dispatcher.js')).openBullDispatcher(options);
