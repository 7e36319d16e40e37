import { Command } from 'commander';
import type { AgentServices } from './agent-services.js';
import type { AgentOptions } from './run-builtin-agent.js';

const MORE_HELP = `
A small coding agent, the default where no other is installed. It works in this
folder and touches nothing outside of it. Keys of providers are taken from
ANTHROPIC_API_KEY or OPENAI_API_KEY. Its conversations are kept below
DEVS_AGENT_HOME, which only you can read. At its prompt: /compact, /clear,
/status, /exit. Without a terminal it works on one prompt and ends.

Examples:
  devs agent "Fix the failing test"
  devs agent --provider openai --base-url http://localhost:8080/v1 --model qwen`;

/** `devs agent`: what runs in a terminal of the built-in agent. */
export function builtinAgentCommand(services: AgentServices, done: (exitCode: number) => void): Command {
  return new Command('agent')
    .description('The built-in agent, in this terminal, not supervised')
    .argument('[prompt...]', 'what is to be done')
    .option('--provider <name>', 'anthropic, openai or scripted; default: chosen by the key that is set')
    .option('--model <name>', 'as the provider names it; default: a current one from its list')
    .option('--base-url <url>', 'another server that speaks the provider’s API')
    .option('--scenario <file>', 'what the scripted model answers')
    .option('--window <tokens>', 'how much the model can take in')
    .option('--permissions <mode>', 'ask, allow or deny what no rule allows', 'ask')
    .option('--allow <rule>', 'a tool, or how a command begins; repeatable', collect, [])
    .option('--ask <rule>', 'the same, to be asked about in any case; repeatable', collect, [])
    .option('--deny <rule>', 'the same, to be refused in any case; repeatable', collect, [])
    .option('--sandbox <mode>', 'for its commands: auto, required or off', 'auto')
    .option('--no-network', 'keep commands in the sandbox off the network')
    .option('--sandbox-read <path>', 'show commands what devs hides; repeatable', collect, [])
    .option('--sandbox-write <path>', 'let commands change it; repeatable', collect, [])
    .option('--sandbox-pass <variable>', 'give commands what devs keeps back; repeatable', collect, [])
    .option('--project <folder>', 'the checkout that this worktree belongs to')
    .option('--conversation <id>', 'the id of a new conversation')
    .option('--resume <id>', 'continue this conversation')
    .option('--prompt-file <file>', 'the first prompt; the file is removed')
    .option('--keys-file <file>', 'keys of providers, {"NAME": "…"}; the file is removed')
    .option('--system-prompt-file <file>', 'what the model is told from the start')
    .option('--mcp-config <file>', 'tools: {"mcpServers": {…}}')
    .option('--specs-tas <file>', 'put in front of the model again and again')
    .option('--specs-prd <file>', 'the same')
    .option('--reinject-every <turns>', 'after how many turns', '5')
    .addHelpText('after', MORE_HELP)
    .action(async (words: readonly string[], options: AgentOptions) => {
      const prompt = words.join(' ').trim();
      done(await services.runBuiltinAgent({ ...options, ...(prompt === '' ? {} : { prompt }) }));
    });
}

const collect = (rule: string, before: readonly string[]): readonly string[] => [...before, rule];
