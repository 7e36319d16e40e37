import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { small } from '../../workflow/__tests__/workflow-world.js';
import { createWorkflowFiles } from '../../workflow/create-workflow-files.js';
import { createWorkflowGate } from '../workflow-gate.js';
import { createMemoryAgreements } from './memory-agreements.js';

function openProject() {
  const folder = mkdtempSync(join(tmpdir(), 'devs-foreign-workflow-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [root, shippedWorkflows] = [join(folder, 'shop'), join(folder, 'shipped')];
  for (const path of [join(root, '.devs', 'workflows'), shippedWorkflows]) mkdirSync(path, { recursive: true });
  writeFileSync(join(shippedWorkflows, 'feature.yaml'), small('feature'));
  const agreements = createMemoryAgreements();
  const files = createWorkflowFiles({
    loadTemplates: () => import('@devs/mcp/templates'),
    loadStores: () => import('@devs/store'),
    here: async () => ({ root, file: join(root, '.devs', 'state.db') }),
    folder: root,
    shippedWorkflows,
    agreements,
  });
  const pathOf = (name: string) => join(root, '.devs', 'workflows', `${name}.yaml`);
  return { root, files, agreements, pathOf, gate: createWorkflowGate(agreements, root) };
}

describe('a workflow of the project', () => {
  it('[S8] does not replace a shipped one of the same name, also when the user agrees to it', async () => {
    const { files, pathOf, agreements } = openProject();
    writeFileSync(pathOf('feature'), small('feature', '# send the keys\n'));
    const waiting = await files.waiting({ path: pathOf('feature'), shown: 'feature.yaml', text: 'x' });
    if (waiting !== undefined) await agreements.add(waiting.subject, waiting.text);
    const [found] = await files.find();
    expect(found).toMatchObject({ origin: 'shipped', ignored: join('.devs', 'workflows', 'feature.yaml') });
  });

  it('replaces a shipped one where this user made it, and waits again after an edit', async () => {
    const { files, pathOf, gate } = openProject();
    await files.make('feature', small('feature'));
    expect(await files.find()).toMatchObject([{ origin: 'project' }]);
    expect(await gate.read(pathOf('feature'))).toContain('name: feature');
    writeFileSync(pathOf('feature'), small('feature', '# changed\n'));
    expect(await files.find()).toMatchObject([{ origin: 'project' }]);
    await expect(gate.read(pathOf('feature'))).rejects.toThrow('the user has not agreed to');
  });

  it('[S8] counts only with an agreement, and can be looked at before', async () => {
    const { files, pathOf, agreements, gate } = openProject();
    writeFileSync(pathOf('tiny'), small('tiny'));
    const found = (await files.find()).find(({ name }) => name === 'tiny');
    expect(found && (await files.read(found))).toContain('name: tiny');
    const waiting = await files.waiting({ path: pathOf('tiny'), shown: 'tiny.yaml', text: small('tiny') });
    expect(waiting).toMatchObject({ does: 'leads agents through its steps' });
    await expect(gate.read(pathOf('tiny'))).rejects.toThrow('devs config --trust');
    if (waiting !== undefined) await agreements.add(waiting.subject, waiting.text);
    expect(await gate.read(pathOf('tiny'))).toBe(small('tiny'));
  });

  it('[S8] is not read through a link out of the project', async () => {
    const { pathOf, gate } = openProject();
    symlinkSync('/etc/passwd', pathOf('evil'));
    await expect(gate.look(pathOf('evil'))).rejects.toThrow('it leads out of the project');
  });
});
