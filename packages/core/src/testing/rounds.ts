/**
 * How often to try and with which seed: a few rounds in every test run, many more in `.ci/soak`, which sets
 * `DEVS_ROUNDS_FACTOR` and `DEVS_SEED`.
 */
export const rounds = (usual: number): number => usual * Number(process.env['DEVS_ROUNDS_FACTOR'] ?? 1);

export const seed = (): number => Number(process.env['DEVS_SEED'] ?? 20_261_115);
