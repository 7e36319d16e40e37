import type { Environment } from '../ports/agent-driver.js';

/** Below the user's home: no build or test of a project reads them. */
const HIDDEN = [
  // keys and logins
  ...[
    '.ssh',
    '.gnupg',
    '.netrc',
    '.git-credentials',
    '.config/git/credentials',
    '.password-store',
    '.local/share/keyrings',
  ],
  // clouds and clusters
  ...['.aws', '.azure', '.config/gcloud', '.boto', '.s3cfg', '.kube', '.docker', '.config/containers/auth.json'],
  ...[
    '.config/doctl',
    '.config/hcloud',
    '.config/rclone',
    '.fly',
    '.vault-token',
    '.terraform.d/credentials.tfrc.json',
  ],
  // forges and registries
  ...['.config/gh', '.config/glab-cli', '.config/hub', '.pypirc', '.gem/credentials', '.m2/settings-security.xml'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.config/op', '.config/stripe', '.config/netlify'],
  // databases
  ...['.pgpass', '.my.cnf', '.mylogin.cnf'],
  // browsers, and shell histories
  ...['.mozilla', '.thunderbird', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware'],
  ...['.bash_history', '.zsh_history', '.local/share/fish', '.node_repl_history', '.python_history', '.psql_history'],
  ...['Library/Keychains', 'Library/Cookies', 'Library/Application Support/Google/Chrome'],
  // coding agents
  ...['.claude', '.claude.json', '.codex', '.gemini', '.local/share/opencode', '.config/opencode', '.cursor'],
  ...[
    '.config/github-copilot',
    '.config/devs',
    '.local/state/devs',
    '.local/share/devs',
    'Library/Application Support/devs',
  ],
];

/** Below the user's home: programs need what else is in them. */
const REDACTED = [
  ...['.gitconfig', '.config/git/config', '.npmrc', '.config/npm/npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml'],
  ...['.config/pip/pip.conf', '.pip/pip.conf', '.config/pypoetry/auth.toml', '.config/uv/uv.toml'],
  ...['.m2/settings.xml', '.gradle/gradle.properties', '.cargo/config.toml', '.bundle/config', '.terraformrc'],
];

/** Variables that name such a place. */
const NAMED_BY = [
  ...['GNUPGHOME', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'GOOGLE_APPLICATION_CREDENTIALS', 'KUBECONFIG'],
  ...['DOCKER_CONFIG', 'GH_CONFIG_DIR', 'NETRC', 'PGPASSFILE', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'DEVS_AGENT_HOME'],
  ...['SSH_AUTH_SOCK', 'XDG_RUNTIME_DIR'],
];

/** Sockets through which a command could act outside: containers, the desktop, other terminals. */
const SOCKETS = [
  ...['/run/user', '/run/docker.sock', '/run/docker', '/run/containerd', '/run/podman', '/run/crio', '/run/dbus'],
  ...['/run/screen', '/run/tmux', '/run/snapd.socket', '/run/snapd-snap.socket', '/run/libvirt', '/run/lxd.socket'],
];

/** Where secrets of the user are kept, whether they exist or not. Pure. */
export function secretPlaces(
  home: string,
  env: Environment,
): { readonly hidden: string[]; readonly redacted: string[] } {
  const moved = [
    ...(env.XDG_STATE_HOME === undefined ? [] : [`${env.XDG_STATE_HOME}/devs`]),
    ...(env.XDG_CONFIG_HOME === undefined
      ? []
      : ['gh', 'gcloud', 'git/credentials', 'devs', 'opencode'].map((name) => `${env.XDG_CONFIG_HOME}/${name}`)),
    ...(env.CARGO_HOME === undefined ? [] : [`${env.CARGO_HOME}/credentials.toml`]),
  ];
  const named = NAMED_BY.flatMap((name) => (env[name] ?? '').split(':'));
  const configs = [env.NPM_CONFIG_USERCONFIG, env.npm_config_userconfig, env.GIT_CONFIG_GLOBAL, env.PIP_CONFIG_FILE];
  return {
    hidden: [...HIDDEN.map((name) => `${home}/${name}`), ...moved, ...named, ...SOCKETS].filter(isAbsolute),
    redacted: [...REDACTED.map((name) => `${home}/${name}`), ...configs.map((path) => path ?? '')].filter(isAbsolute),
  };
}

/** A variable may say the root, the empty text, or a name. */
const isAbsolute = (path: string): boolean => /^\/[^/]/.test(path) && path !== '/dev/null';
