import { describe, expect, it } from 'vitest';
import { MAKERS } from '../../testing/planted-secrets.js';
import { createRandom } from '../../testing/random.js';
import { seed } from '../../testing/rounds.js';
import { redactText } from '../redact-text.js';
import { KEYED_FORMATS, READ_AT_ONCE, RUN_FORMATS, SECRET_FORMATS } from '../secret-formats.js';

const hex = (length: number) => '0123456789abcdef'.repeat(20).slice(0, length);
const base62 = (length: number) => 'a1B2c3D4e5F6g7H8'.repeat(20).slice(0, length);
const upper = (length: number) => 'A2B3C4D5E6F7'.repeat(20).slice(0, length);

/** One of every format that is not among the planted ones. Written in parts, so that no scanner takes them for real. */
const EXAMPLES: readonly (readonly [kind: string, secret: string])[] = [
  ['aws-session-token', `IQoJb3JpZ2lu${base62(60)}`],
  ['aws-bedrock-key', `ABSK${base62(110)}`],
  ['google-refresh-token', `1//0${base62(40)}`],
  ['alibaba-access-key', `LTAI${base62(20)}`],
  ['flyio-token', `fo1_${base62(43)}`],
  ['cloudflare-origin-key', `v1.0-${hex(24)}-${hex(146)}`],
  ['supabase-token', `sbp_${hex(40)}`],
  ['netlify-token', `nfp_${base62(36)}`],
  ['tailscale-key', `tskey-auth-${base62(24)}`],
  ['gitlab-token', `GR1348941${base62(20)}`],
  ['gitlab-token', `glpat-${base62(27)}.01.${base62(9)}`],
  ['atlassian-token', `ATATT3${base62(186)}`],
  ['rubygems-token', `rubygems_${hex(48)}`],
  ['nuget-key', `oy2${base62(43).toLowerCase()}`],
  ['crates-token', `cio${base62(32)}`],
  ['artifactory-key', `AKCp${base62(69)}`],
  ['circleci-token', `CCIPAT_${base62(40)}`],
  ['buildkite-token', `bkua_${hex(40)}`],
  ['sonar-token', `sqp_${hex(40)}`],
  ['sentry-token', `sntryu_${hex(64)}`],
  ['postman-key', `PMAK-${hex(24)}-${hex(34)}`],
  ['linear-token', `lin_api_${base62(40)}`],
  ['notion-token', `ntn_${base62(46)}`],
  ['figma-token', `figd_${base62(40)}`],
  ['airtable-token', `pat${base62(14)}.${hex(64)}`],
  ['vault-token', `s.${base62(24)}`],
  ['pulumi-token', `pul-${hex(40)}`],
  ['doppler-token', `dp.pt.${base62(43)}`],
  ['planetscale-token', `pscale_tkn_${base62(43)}`],
  ['grafana-token', `glsa_${base62(32)}_${hex(8)}`],
  ['dynatrace-token', `dt0c01.${upper(24)}.${upper(64)}`],
  ['newrelic-key', `NRAK-${upper(27)}`],
  ['1password-token', `ops_eyJ${base62(250)}`],
  ['1password-secret-key', `A3-${upper(6)}-${upper(11)}-${upper(5)}-${upper(5)}-${upper(5)}`],
  ['openshift-token', `sha256~${base62(43)}`],
  ['replicate-token', `r8_${base62(37)}`],
  ['groq-key', `gsk_${base62(52)}`],
  ['xai-key', `xai-${base62(80)}`],
  ['perplexity-key', `pplx-${base62(48)}`],
  ['stripe-webhook-secret', `whsec_${base62(32)}`],
  ['square-token', `sq0atp-${base62(22)}`],
  ['facebook-token', `EAAC${base62(120)}`],
  ['sendinblue-key', `xkeysib-${hex(64)}-${base62(16)}`],
  ['slack-token', `xapp-1-${upper(10)}-1234567890-${hex(64)}`],
  ['slack-token', `xoxe.xoxb-1-${base62(160)}`],
  ['discord-token', `mfa.${base62(84)}`],
  ['mailgun-key', `${hex(32)}-${hex(8)}-${hex(8)}`],
  ['mailchimp-key', `${hex(32)}-us12`],
  ['private-key', `LS0tLS1CRUdJTi${base62(80)}`],
];

describe('the table of formats', () => {
  it('has more than 25 of them', () => {
    expect(new Set(SECRET_FORMATS.map(({ kind }) => kind)).size).toBeGreaterThan(60);
  });

  it.each(EXAMPLES)('knows %s', (kind, secret) => {
    expect(redactText(`It said "${secret}" twice.`)).toBe(`It said "[redacted:${kind}]" twice.`);
  });

  it.each(Object.keys(MAKERS).filter((kind) => SECRET_FORMATS.some((format) => format.kind === kind)))(
    'gives %s its own name',
    (kind) => {
      const random = createRandom(seed());
      for (let round = 0; round < 20; round++)
        expect(redactText(MAKERS[kind]?.(random).text ?? '')).toContain(`:${kind}]`);
    },
  );

  it('names every kind so that a placeholder is never taken for a secret', () => {
    const kinds = [...SECRET_FORMATS, ...RUN_FORMATS, ...KEYED_FORMATS].map(
      ({ kind }) => `password=[redacted:${kind}]`,
    );
    expect(kinds.map(redactText)).toEqual(kinds);
  });

  it('has no pattern that could run forever before it fails', () => {
    for (const { pattern } of SECRET_FORMATS) {
      const withoutClasses = pattern.source.replace(/\[(?:\\.|[^\]\\])*\]/g, 'c').replace(/\\./g, 'c');
      expect(withoutClasses, pattern.source).not.toMatch(/[*+]|\{\d+,\}/);
    }
  });

  it('takes a token to its end, however long it is', () => {
    const long = base62(300).repeat(100);
    expect(long.length).toBeGreaterThan(READ_AT_ONCE);
    for (const start of ['ghp_', 'sk-ant-', 'eyJaaaaaaaaaa.', 'Authorization: Bearer ', 'API_KEY=', 'api_key: ']) {
      expect(redactText(`${start}${long} end`)).toMatch(/^[\w: =-]*\[redacted:[\w-]+\] end$/);
    }
  });
});
