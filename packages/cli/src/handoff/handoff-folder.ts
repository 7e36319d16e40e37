/** In `.devs/`. */
export const HANDOFF_FOLDER = 'handoffs';
