import type { SettingSources } from './read-settings.js';

/**
 * What runs a program, answers in the user's place, widens what an agent may do, or decides who gets the user's key. A file that
 * came with a repository must not say it before the user has seen it.
 */
const POWERS = [
  'setup',
  'checks',
  'notices.command',
  'dialogs',
  'agents',
  'permissions',
  'model.baseUrl',
  'renewal.checkpoints',
];

/** The keys of such a kind that a layer says, without those that only hold others, sorted. Pure. */
export function powersOf(sources: SettingSources, where: string): readonly string[] {
  const said = [...sources].filter(([, source]) => source.where === where).map(([key]) => key);
  const holdsOthers = (key: string) => said.some((other) => other.startsWith(`${key}.`));
  const isPower = (key: string) => POWERS.some((power) => key === power || key.startsWith(`${power}.`));
  return said.filter((key) => isPower(key) && !holdsOthers(key)).sort();
}
