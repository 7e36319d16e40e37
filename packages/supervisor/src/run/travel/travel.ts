/** How the work of runs reaches other machines, where several share the store. */
export interface Travel {
  /** The remote's name in this clone. */
  readonly remote: string;
  /** Where it is, for people. */
  readonly where: string;
  /** The name of this machine. */
  readonly machine: string;
}
