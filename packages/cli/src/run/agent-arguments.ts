import { resolve } from 'node:path';
import type { PermissionSettings, Settings } from '@devs/core';
import { findAgent } from '@devs/drivers/agents';

export interface SpecFiles {
  /** Absolute. */
  readonly tas?: string;
  readonly prd?: string;
}

/** What the agent is started with by the user's settings; only the built-in one is told anything. */
export function agentArguments(
  agent: string,
  { model, permissions, reinjection, sandbox, sandboxed, agents }: Settings,
  { folder, specs, provider }: { readonly folder: string; readonly specs: SpecFiles; readonly provider?: string },
): readonly string[] {
  const own = agents[agent];
  if (own !== undefined && 'acp' in own)
    return permissionArguments({ ...permissions, mode: modeOfOthers(permissions) });
  if (agent !== 'builtin')
    return model.name === undefined ? [] : (findAgent(agent)?.program?.modelArguments(model.name) ?? []);
  const option = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [name, String(value)];
  const isReminded = reinjection.enabled;
  return [
    ...option('--provider', provider ?? model.provider),
    ...option('--model', model.name),
    ...option('--base-url', model.baseUrl),
    ...option('--window', model.window),
    ...option('--scenario', model.scenario === undefined ? undefined : resolve(folder, model.scenario)),
    ...permissionArguments(permissions),
    ...['--sandbox', sandbox, '--project', folder, ...(sandboxed.network ? [] : ['--no-network'])],
    ...sandboxed.read.flatMap((path) => ['--sandbox-read', path]),
    ...sandboxed.write.flatMap((path) => ['--sandbox-write', path]),
    ...sandboxed.pass.flatMap((name) => ['--sandbox-pass', name]),
    ...option('--specs-tas', isReminded ? specs.tas : undefined),
    ...option('--specs-prd', isReminded ? specs.prd : undefined),
    ...option('--reinject-every', isReminded ? reinjection.builtinTurns : undefined),
  ];
}

const permissionArguments = ({ mode, allow, ask, deny }: PermissionSettings): readonly string[] => [
  ...['--permissions', mode],
  ...allow.flatMap((rule) => ['--allow', rule]),
  ...ask.flatMap((rule) => ['--ask', rule]),
  ...deny.flatMap((rule) => ['--deny', rule]),
];

/** No sandbox holds the commands of an agent that is not devs' own: all is allowed only by a rule that says so. */
export const modeOfOthers = ({ mode }: PermissionSettings): PermissionSettings['mode'] =>
  mode === 'allow' ? 'ask' : mode;
