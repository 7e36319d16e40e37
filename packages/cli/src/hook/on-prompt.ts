import type { HookPayload } from './hook-payload.js';
import type { HookWorld } from './hook-world.js';
import { remind } from './remind.js';
import { saveRecord, takeRecord } from './take-record.js';

/** The user sent something: counts it, and says what the specs are where that is due. */
export async function onPrompt(world: HookWorld, payload: HookPayload): Promise<string | undefined> {
  const taken = takeRecord(world, payload);
  const { record, text } = await remind(world, { ...taken, prompts: taken.prompts + 1 }, 'counting');
  saveRecord(world, record);
  return text;
}
