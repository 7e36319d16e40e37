import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from './package-folder.js';

type ScriptedModel = typeof import('@devs/scripted-model');

/** The workshop of devs, for tests and demos. The installed package does without it. */
export interface Checkout {
  /** By its place: by its name, a bundle would contain it and the installed package would look for it. */
  readonly loadScriptedModel: () => Promise<ScriptedModel>;
  /** The program that shows the protocol at work. */
  readonly protocolDemo: string;
}

/** `undefined` where devs is installed as a package. */
export function findCheckout(): Checkout | undefined {
  const root = join(packageFolder(), '..', '..');
  const model = join(root, 'packages', 'scripted-model', 'dist', 'index.js');
  if (!existsSync(model)) return undefined;
  return {
    loadScriptedModel: async () => (await import(pathToFileURL(model).href)) as ScriptedModel,
    protocolDemo: join(root, 'examples', 'dist', 'protocol-demo', 'main.js'),
  };
}
