export { openBullDispatcher } from './bull/on-demand.js';
export { createLocalDispatcher } from './local-dispatcher.js';
