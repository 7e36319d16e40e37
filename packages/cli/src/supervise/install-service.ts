import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where services of a user are written, and what they start. */
export interface ServicePlace {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What starts devs: `[node, devs.mjs]`. */
  readonly devsCommand: readonly string[];
}

/** Writes the unit of a service that supervises after a restart of the machine. Gives what to type next. */
export function installService(place: ServicePlace): readonly string[] {
  const { path, text, next } = place.platform === 'darwin' ? launchdAgent(place) : systemdUnit(place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o644 });
  return [`Wrote ${path}.`, `Start it now and after each login: ${next}`];
}

interface ServiceUnit {
  readonly path: string;
  readonly text: string;
  readonly next: string;
}

/**
 * `KillMode=process`: a restart of the supervisor ends neither the host nor its agents. `on-failure`: what `devs down` has ended stays
 * so. Pure.
 */
export function systemdUnit({ home, env, devsCommand }: ServicePlace): ServiceUnit {
  const folder = env.XDG_CONFIG_HOME ?? join(home, '.config');
  const command = [...devsCommand, 'up', '--foreground'].map(quoted).join(' ');
  return {
    path: join(folder, 'systemd', 'user', 'devs.service'),
    text: `[Unit]
Description=devs supervises AI coding agents

[Service]
ExecStart=${command}
Environment=${quoted(`PATH=${env.PATH ?? ''}`)}
Restart=on-failure
RestartSec=5
KillMode=process

[Install]
WantedBy=default.target
`,
    next: 'systemctl --user enable --now devs',
  };
}

/** As systemd reads it: `%` begins a specifier. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;

const LABEL = 'dev.devs.supervisor';

/** `AbandonProcessGroup` and `SuccessfulExit`: as above. Pure. */
export function launchdAgent({ home, env, devsCommand }: ServicePlace): ServiceUnit {
  const words = [...devsCommand, 'up', '--foreground'].map((word) => `    <string>${escaped(word)}</string>`);
  const path = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  return {
    path,
    text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>${escaped(env.PATH ?? '')}</string>
  </dict>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
</dict>
</plist>
`,
    next: `launchctl load -w ${path}`,
  };
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
