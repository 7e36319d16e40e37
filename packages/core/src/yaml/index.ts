export type { TextProblem } from './problem-list.js';
export { readYaml, type TextKind } from './read-yaml.js';
export type { Path as TextPath } from './yaml-tree.js';
