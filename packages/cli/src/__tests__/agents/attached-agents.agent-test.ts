import { parseScenario, startModelServer } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AGENT_HOMES, type AgentHome } from './agent-homes.js';
import { addWorkflow, beginProject } from './first-hour.js';

const WORDS = 'A heron stands in the shallow water.';

/** Says a sentence at once, and nothing else for as long as a user looks. */
const SCENARIO = `name: says-one-thing
rules:
  - when: { system: Task Routing AI }
    reply: '{"complexity_reasoning":"scripted","complexity_score":80}'
default: ${WORDS}
`;

describe.each(Object.entries<AgentHome>(AGENT_HOMES))('a run with a real %s', (agent, home) => {
  it.skipIf(home.program === '')(
    'shows what the agent says to a user who attaches, and continues when they leave',
    async () => {
      const model = await startModelServer({ scenario: parseScenario(SCENARIO) });
      onTestFinished(() => model.close());
      const door = home.openDoor(model);
      beginProject(door);
      await door.run('init');
      addWorkflow(door);
      await door.run('config', '--trust');
      await door.run('config', '--trust-folder');
      await door.run('run', '--detach', ...(home.flags ?? []), 'one-step', 'Make it', '--agent', agent);

      const window = door.open(['attach'], { columns: 110, rows: 40 });
      await window.shows(WORDS);
      window.type('\u001dd');
      await window.until('[rc=0]');

      const [hosted] = await door.hosted();
      expect(hosted?.exit).toBeUndefined();
    },
    240_000,
  );
});
