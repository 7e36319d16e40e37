export { fixtureDriver, fixtureSource } from './fixture-driver.js';
