import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseDirectives } from '../../script/parse-directives.js';
import { parseScenario } from '../parse-scenario.js';
import { readScenario } from '../read-scenario.js';
import { ScenarioError } from '../scenario-error.js';

const PACKAGE = new URL('../../../', import.meta.url);
const README = readFileSync(new URL('README.md', PACKAGE), 'utf8');
const example = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(README)?.[1] ?? '';

describe('a scenario that is shipped', () => {
  const folder = new URL('scenarios/', PACKAGE);

  it.each(readdirSync(folder))('%s can be used', async (name) => {
    expect((await readScenario(fileURLToPath(new URL(name, folder)))).rules.length).toBeGreaterThan(0);
  });

  it('is not found under another name', async () => {
    await expect(readScenario(fileURLToPath(new URL('nope.yaml', folder)))).rejects.toThrow(ScenarioError);
  });
});

describe('the example in the README', () => {
  it('of a scenario can be used', () => {
    expect(parseScenario(example('yaml')).rules).toHaveLength(3);
  });

  it('of directives can be used', () => {
    expect(parseDirectives(example('text'))).toMatchObject({ kind: 'script', steps: { length: 4 } });
  });
});
