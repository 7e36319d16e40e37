import { Argument, Command } from 'commander';
import { UsageError } from '../cli-error.js';
import { toJson } from '../screen/to-json.js';
import { HOOK_AGENTS } from './hook-agent.js';
import type { HookServices } from './hook-services.js';

const MORE_HELP = `
For the settings of an agent, not for people: the agent gives its payload on
stdin and takes the answer from stdout. After a compaction it is told what its
summary may lack; at the start, what is open; now and then, what the specs say.
Errors are written only to hook.log in the state folder of devs (see
docs/guides/privacy.md).

Claude Code: claude --plugin-dir plugins/claude-code
Codex:       write what --print-config prints into its hooks.json, and trust
             the hooks with /hooks; Codex skips others without a word.

Each part can be switched off in .devs/hooks.json or with DEVS_HOOK=off,
DEVS_HOOK_COMPACT, DEVS_HOOK_OPEN and DEVS_HOOK_REMINDER.

Example:
  devs hook codex --print-config > ~/.codex/hooks.json`;

interface HookOptions {
  readonly launched?: boolean;
  readonly printConfig?: boolean;
}

export function hookCommand(services: HookServices, done: (exitCode: number) => void): Command {
  return new Command('hook')
    .description('Answer a hook of an agent: payload on stdin, answer on stdout')
    .addArgument(new Argument('<agent>', 'whose hook it is').choices(HOOK_AGENTS.map(({ name }) => name)))
    .option('--launched', 'for agents that devs starts: omit open work')
    .option('--print-config', 'print the settings that make Codex call it')
    .option('--json', 'no difference: it never prints anything else')
    .addHelpText('after', MORE_HELP)
    .action(async (agent: string, { printConfig = false, launched = false }: HookOptions) => {
      if (printConfig) services.print(toJson(hookConfig(agent, services)));
      else await services.answerHook(agent, { isLaunched: launched });
      done(0);
    });
}

function hookConfig(agent: string, services: Pick<HookServices, 'hookCommand'>): object | undefined {
  const setup = HOOK_AGENTS.find(({ name }) => name === agent)?.setup;
  if (setup?.kind === 'plugin') throw new UsageError(setup.advice);
  return setup?.config(services.hookCommand(agent));
}
