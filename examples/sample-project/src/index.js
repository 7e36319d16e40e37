export { parseDuration } from './parse-duration.js';
