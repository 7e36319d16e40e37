export { FIXTURE_AGENTS, FIXTURE_INPUT, type FixtureAgent, fixtureAgent } from './fixture-agent.js';
export { endHost, openTestHost, type TestHost } from './open-test-host.js';
export { type WatchedText, watchText } from './watch-text.js';
