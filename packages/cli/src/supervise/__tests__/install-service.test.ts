import { describe, expect, it } from 'vitest';
import { launchdAgent, type ServicePlace, systemdUnit } from '../install-service.js';

const PLACE: ServicePlace = {
  platform: 'linux',
  home: '/home/anna',
  env: { PATH: '/usr/bin:/opt/50% off' },
  devsCommand: ['/usr/bin/node', '/opt/my "devs"/devs.mjs'],
};

describe('the service that supervises after a restart', () => {
  it('is a systemd unit whose restart ends neither the host nor its agents', () => {
    const { path, text } = systemdUnit(PLACE);
    expect(path).toBe('/home/anna/.config/systemd/user/devs.service');
    expect(text).toContain('ExecStart="/usr/bin/node" "/opt/my \\"devs\\"/devs.mjs" "up" "--foreground"\n');
    expect(text).toContain('Environment="PATH=/usr/bin:/opt/50%% off"\n');
    expect(text).toContain('KillMode=process\n');
  });

  it('is not started again after `devs down`, and is after a crash', () => {
    expect(systemdUnit(PLACE).text).toContain('Restart=on-failure\n');
    expect(launchdAgent(PLACE).text).toMatch(
      /<key>KeepAlive<\/key>\s*<dict>\s*<key>SuccessfulExit<\/key>\s*<false\/>\s*<\/dict>/,
    );
  });

  it('is a launchd agent on a Mac, with the same promise', () => {
    const { path, text } = launchdAgent({ ...PLACE, devsCommand: ['node', '/a&b/devs.mjs'] });
    expect(path).toBe('/home/anna/Library/LaunchAgents/dev.devs.supervisor.plist');
    expect(text).toContain('<string>/a&amp;b/devs.mjs</string>');
    expect(text).toContain('<key>AbandonProcessGroup</key>\n  <true/>');
  });
});
