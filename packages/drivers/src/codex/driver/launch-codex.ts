import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { AgentSettings, LaunchPlan, LaunchRequest } from '@devs/core';
import { cleanEnvironment } from '../../driving/clean-environment.js';
import { fitPrompt } from '../../driving/fit-prompt.js';
import { type ArgumentPart, hasOption, parseArguments, tokensOf } from '../../driving/parse-arguments.js';
import { textIn } from '../../reading/json.js';
import {
  CODEX_SYNTAX,
  type CodexArguments,
  configKey,
  FOR_FIRST_LAUNCH,
  readCodexArguments,
  withoutOptions,
} from './codex-arguments.js';
import { mcpOptions } from './mcp-options.js';
import { type CodexConfig, readCodexConfig } from './read-codex-config.js';
import { tomlString } from './toml.js';

export type ReadConfig = (request: LaunchRequest, options: readonly string[]) => Promise<CodexConfig | undefined>;

/** The command line for one conversation. Everything of ours is a `-c key=value` behind the user's own options. */
export async function launchCodex(
  request: LaunchRequest,
  readConfig: ReadConfig = readCodexConfig,
): Promise<LaunchPlan> {
  const command = request.command ?? 'codex';
  const env = cleanEnvironment(request.env);
  const given = readCodexArguments(parseArguments(request.userArgs, CODEX_SYNTAX));
  if (given.isOneOff) {
    return { command, args: request.userArgs, env, privateFiles: [], manner: 'one-off', notes: [] };
  }
  const isFirst = request.conversation.kind === 'first';
  const options = applySettings(
    isFirst ? given.options : withoutOptions(given.options, FOR_FIRST_LAUNCH),
    request.settings ?? {},
  );
  const told = await tellInstructions(options, request, readConfig);
  const mcp = mcpOptions(request.mcpServers ?? {});
  const said = [...(isFirst ? [given.prompt] : []), ...told.inPrompt, request.firstPrompt].filter(
    (text) => text !== undefined,
  );
  const prompt = fitPrompt(said.join('\n\n'), request);
  const opens = openedConversation(given, request);
  return {
    command,
    args: [
      ...(opens === undefined ? [] : [opens.command]),
      ...tokensOf(told.options),
      ...told.ours,
      ...mcp.options,
      ...launchSettings(request),
      ...[...(opens?.id === undefined ? [] : [opens.id]), ...(prompt.text === undefined ? [] : [prompt.text])].flatMap(
        (word, index) => (index === 0 ? ['--', word] : [word]),
      ),
    ],
    env: { ...env, ...mcp.env },
    ...(request.conversation.kind === 'resume' ? { conversationId: request.conversation.id } : {}),
    privateFiles: [...told.files, ...prompt.files],
    manner: 'conversation',
    notes: [
      ...told.notes,
      ...mcp.notes,
      ...(request.hooks === undefined ? [] : ['Codex runs no hooks that its user has not trusted: none were added']),
    ],
  };
}

/** Values of tables are merged with those of the user; a path in a dotted key would be split at its dots. */
export function launchSettings({ unattended, trustsFolder, folder }: LaunchRequest): readonly string[] {
  const trusted = `projects={${tomlString(folder)}={trust_level="trusted"}}`;
  return [...(trustsFolder === true ? [trusted] : []), ...(unattended === true ? WITHOUT_A_PERSON : [])].flatMap(
    (setting) => ['-c', setting],
  );
}

/** Notices that would appear between the agent and its prompt. */
const WITHOUT_A_PERSON = [
  'check_for_update_on_startup=false',
  'tui.show_tooltips=false',
  'notice.hide_rate_limit_model_nudge=true',
];

function openedConversation({ opens }: CodexArguments, { conversation }: LaunchRequest): CodexArguments['opens'] {
  if (conversation.kind === 'resume') return { command: 'resume', id: conversation.id };
  return conversation.kind === 'first' ? opens : undefined;
}

/**
 * `developer_instructions` replaces the user's configured ones, so those are read first and put before ours. If Codex
 * does not report them, nothing is replaced, and ours begin the first prompt.
 *
 * A handoff is private, and everybody can read a command line: so it is passed by a profile of this launch, a private
 * file that Codex finds by a link in its home. If the user has a profile themselves, or the project's setting would
 * win, it is an option after all.
 */
async function tellInstructions(options: readonly ArgumentPart[], request: LaunchRequest, readConfig: ReadConfig) {
  const { systemPrompt } = request;
  const untold = { options, ours: [], files: [], inPrompt: [] as readonly string[], notes: [] as readonly string[] };
  if (systemPrompt === undefined) return untold;
  const config = await readConfig(request, tokensOf(withoutOptions(options, FOR_FIRST_LAUNCH)));
  if (config === undefined) {
    const notes = ['Codex did not say what it is configured with: its instructions are in the first prompt instead'];
    return { ...untold, inPrompt: [systemPrompt], notes };
  }
  const theirs = textIn(config.values.developer_instructions)?.trim() ?? '';
  const whole = (theirs === '' ? systemPrompt : `${theirs}\n\n${systemPrompt}`).replaceAll('\0', '');
  const left = options.filter((part) => configKey(part) !== 'developer_instructions');
  if (config.profiles !== undefined && !hasOption(options, '-p', '--profile')) {
    const name = `devs-${createHash('sha256').update(request.privateFolder).digest('hex').slice(0, 12)}`;
    const file = {
      path: join(request.privateFolder, 'profile.toml'),
      text: `developer_instructions = ${tomlString(whole)}\n`,
      link: join(config.profiles, `${name}.config.toml`),
    };
    return { ...untold, options: left, ours: ['-p', name], files: [file] };
  }
  const { text = '', files } = fitPrompt(whole, request, 'instructions.md');
  return {
    ...untold,
    options: left,
    ours: ['-c', `developer_instructions=${tomlString(text)}`],
    files,
  };
}

/** As last observed. What allows more than was in force at the end is left out. */
export function applySettings(options: readonly ArgumentPart[], settings: AgentSettings): readonly ArgumentPart[] {
  const { model, effort, permissionMode } = settings;
  const [approval, sandbox] = permissionMode?.split('/') ?? [];
  const replaced = [
    ...(model === undefined ? [] : ['-m', '--model']),
    ...(permissionMode === undefined
      ? []
      : ['-a', '--ask-for-approval', '-s', '--sandbox', '--approve-for-me', '--full-auto', BYPASS]),
  ];
  const kept = withoutOptions(options, replaced).filter(
    (part) => effort === undefined || configKey(part) !== 'model_reasoning_effort',
  );
  const set = (name: string, value: string | undefined): readonly ArgumentPart[] =>
    value === undefined ? [] : [{ kind: 'option', name, values: [value], tokens: [name, value] }];
  return [
    ...kept,
    ...set('-m', model),
    ...set('-c', effort === undefined ? undefined : `model_reasoning_effort=${tomlString(effort)}`),
    ...set('-a', approval),
    ...set('-s', sandbox),
  ];
}

const BYPASS = '--dangerously-bypass-approvals-and-sandbox';
