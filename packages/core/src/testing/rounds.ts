/** By how much `.ci/soak` multiplies. */
const SOAK_FACTOR = 50;

/**
 * How often to try and with which seed: a few rounds in every test run, many more in `.ci/soak`, which sets
 * `DEVS_ROUNDS_FACTOR` and `DEVS_SEED`. `inSoak` is for what would be too few or too many there.
 */
export const rounds = (usual: number, inSoak = usual * SOAK_FACTOR): number => {
  const factor = Number(process.env['DEVS_ROUNDS_FACTOR'] ?? 1);
  return factor <= 1 ? usual * factor : Math.ceil((inSoak * factor) / SOAK_FACTOR);
};

export const seed = (): number => Number(process.env['DEVS_SEED'] ?? 20_261_115);
