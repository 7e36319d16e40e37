import { messageOf, type Settings } from '@devs/core';
import { settingsOf } from '../config/load-settings.js';
import { bestAgent } from '../run/choose-agent.js';
import type { HostExamination, TerminalsExamination } from '../terminal/create-terminals.js';
import { describeWaiting, HOW_TO_AGREE } from '../trust/waiting-file.js';
import { count } from '../words.js';
import type { DoctorServices } from './doctor-services.js';

export interface Finding {
  /** `none`: something is not there, and need not be. */
  readonly level: 'ok' | 'none' | 'warning' | 'problem';
  readonly text: string;
}

/** Whether the agent that comes with devs has a model, as the settings here say. */
export async function examineModel(services: DoctorServices): Promise<readonly Finding[]> {
  try {
    const { layers, waiting } = await services.settingsFiles.read();
    const ignored: readonly Finding[] =
      waiting === undefined
        ? []
        : [{ level: 'warning', text: `settings: ${describeWaiting(waiting)}: ignored. ${HOW_TO_AGREE}` }];
    const { settings } = settingsOf(layers);
    const inspected = await services.runs.inspect(settings);
    const found = inspected.find(({ agent }) => agent === 'builtin')?.inspection;
    if (found?.kind !== 'unusable') return ignored;
    const level = bestAgent(inspected) === undefined ? 'warning' : 'none';
    return [...ignored, { level, text: `builtin: ${found.reason}; ${found.advice}` }];
  } catch (error) {
    return [{ level: 'problem', text: `settings: ${messageOf(error)}` }];
  }
}

/** Whether commands can be kept in a sandbox here. */
export async function examineSandbox(services: DoctorServices): Promise<readonly Finding[]> {
  const mode = await wantedSandbox(services);
  const found = await services.findSandbox();
  if (found.kind !== 'none') {
    const text = `sandbox: ${found.kind}, ${found.program}${mode === 'off' ? '; switched off by the setting sandbox' : ''}`;
    return [{ level: mode === 'off' ? 'warning' : 'ok', text }];
  }
  const level = mode === 'required' ? 'problem' : mode === 'off' ? 'none' : 'warning';
  const what = mode === 'required' ? 'no command is run without one' : 'commands run without one';
  return [{ level, text: `sandbox: ${found.reason}, so ${what}. ${found.advice}` }];
}

async function wantedSandbox({ settingsFiles }: DoctorServices): Promise<Settings['sandbox']> {
  try {
    return settingsOf((await settingsFiles.read()).layers).settings.sandbox;
  } catch {
    return 'auto'; // another finding reports the problem with the settings
  }
}

/** Which agents can be started, and whether their terminals can. */
export async function examineTerminals({ terminals }: Pick<DoctorServices, 'terminals'>): Promise<readonly Finding[]> {
  try {
    const { agents, host, problems } = await terminals.examine();
    return [
      ...agents.flatMap(describeAgent),
      describeHost(host),
      ...problems.map((text): Finding => ({ level: 'warning', text: `settings: ${text}` })),
    ];
  } catch (error) {
    return [{ level: 'problem', text: `terminals: ${messageOf(error)}` }];
  }
}

type InspectedAgent = TerminalsExamination['agents'][number];

/** What devs does with each, where all its signals are there. */
const WORKS: Readonly<Record<string, string>> = {
  claude: 'pressure, state, prompts, renewal and resuming were tried with it',
  codex: 'pressure, state, prompts, renewal and resuming were tried with it',
  builtin: 'comes with devs',
};

function describeAgent({ agent, inspection }: InspectedAgent): readonly Finding[] {
  if (inspection.kind === 'unusable') {
    const isAbsent = inspection.reason.endsWith('was not found');
    const level = isAbsent ? 'none' : 'warning';
    return [{ level, text: `${agent}: ${isAbsent ? 'not installed' : inspection.reason}; ${inspection.advice}` }];
  }
  const { command, version, tried, warning } = inspection;
  const what = tried ? `; ${WORKS[agent] ?? 'tried'}` : '';
  return [
    { level: 'ok', text: `${agent}: ${version}, ${command}${what}` },
    ...(warning === undefined ? [] : [{ level: 'warning', text: warning } as const]),
  ];
}

function describeHost(host: HostExamination): Finding {
  switch (host.kind) {
    case 'running':
      return { level: 'ok', text: `terminals: ${count(host.terminals, 'agent')} in host ${host.pid}, ${host.folder}` };
    case 'none':
      return { level: 'ok', text: `terminals: none runs; ${host.folder}` };
    case 'unusable':
      return { level: 'problem', text: `terminals: ${host.reason}` };
  }
}
