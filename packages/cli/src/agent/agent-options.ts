/** As they are typed behind `devs agent`. */
export interface AgentOptions {
  readonly conversation?: string;
  readonly resume?: string;
  readonly systemPromptFile?: string;
  readonly mcpConfig?: string;
  readonly model?: string;
  /** Default: by what else is named, then by the key in the environment. */
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly scenario?: string;
  readonly window?: string;
  readonly permissions: string;
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  readonly sandbox: string;
  readonly network: boolean;
  readonly sandboxRead: readonly string[];
  readonly sandboxWrite: readonly string[];
  readonly sandboxPass: readonly string[];
  readonly project?: string;
  readonly specsTas?: string;
  readonly specsPrd?: string;
  readonly reinjectEvery: string;
  readonly prompt?: string;
  /** Removed when they have been read. */
  readonly promptFile?: string;
  readonly keysFile?: string;
}

/** Becomes the built-in agent until it ends; gives its exit code. */
export type RunBuiltinAgent = (options: AgentOptions) => Promise<number>;
