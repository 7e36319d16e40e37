/**
 * Secrets with a recognisable format. The formats are public: documented by the issuers, and used by gitleaks,
 * detect-secrets and Microsoft's sensitive information types.
 *
 * To keep a search linear, only the last part of a pattern may be of any length (`{36,}`): it takes all it can,
 * because the rest of a longer token would be as secret as its start. Everything before it is bounded.
 */
export interface SecretFormat {
  readonly kind: string;
  /** What every secret of this format begins with, in so many letters. Patterns are tried only where one of these is. */
  readonly starts: readonly string[];
  /** Tried at the beginning. Its first group, where it has one, is the secret; otherwise all of it is. */
  readonly pattern: RegExp;
  /** The beginning is short enough to be the end of something ordinary (`task-…`), so nothing may stand before it. */
  readonly wholeWord?: true;
  /** What stands before the beginning and belongs to the secret; matched against the 32 characters before it. */
  readonly lead?: RegExp;
}

const format = (
  kind: string,
  starts: readonly string[],
  pattern: RegExp,
  more: Pick<SecretFormat, 'wholeWord' | 'lead'> = {},
): SecretFormat => ({
  kind,
  starts,
  pattern: new RegExp(pattern.source.replace(/\{(\d+),\}/g, `{$1,${READ_AT_ONCE}}`), 'y'),
  ...more,
});

/** What `{36,}` means below: so many at least, and never more than this at once. The search takes the rest of a run. */
export const READ_AT_ONCE = 4096;

const WHOLE = { wholeWord: true } as const;

export const SECRET_FORMATS: readonly SecretFormat[] = [
  // clouds
  format('aws-access-key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], /A[A-Z]{3}[A-Z0-9]{16}(?![A-Za-z0-9_])/, WHOLE),
  format('aws-session-token', ['FwoGZXIvYXdz', 'IQoJb3JpZ2lu', 'FQoGZXIvYXdz'], /[A-Za-z0-9+/]{50,}={0,2}/),
  format('aws-bedrock-key', ['ABSK', 'bedrock-api-key-'], /(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{60,}={0,2}/, WHOLE),
  format('gcp-api-key', ['AIza'], /AIza[\w-]{35,}/),
  format('google-oauth-token', ['ya29.'], /ya29\.[\w-]{20,}(?:\.[\w-]{1,64}){0,4}/),
  format('google-oauth-secret', ['GOCSPX-'], /GOCSPX-[\w-]{20,}/),
  format('google-refresh-token', ['1//0'], /1\/\/0[\w-]{35,}/, WHOLE),
  format('azure-client-secret', ['Q~'], /Q~[\w~.-]{31,}/, { lead: /[\w~.]{3}\d$/ }),
  format('azure-storage-key', ['AccountKey=', 'SharedAccessKey='], /S?[A-Za-z]{9,14}=([A-Za-z0-9+/]{20,}={0,2})/),
  format('azure-sas-signature', ['sig='], /sig=([A-Za-z0-9+/]{20}[A-Za-z0-9+/%]{8,}(?:={1,2})?)/, WHOLE),
  format('alibaba-access-key', ['LTAI'], /LTAI[A-Za-z0-9]{16,}/, WHOLE),
  format('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], /do[opr]_v1_[a-f0-9]{64,}/),
  format('heroku-api-key', ['HRKU-'], /HRKU-[\w-]{30,}/),
  format('flyio-token', ['fo1_', 'fm1a_', 'fm1r_', 'fm2_'], /f(?:o1|m1[ar]|m2)_[\w+/-]{40,}={0,3}/, WHOLE),
  format('cloudflare-origin-key', ['v1.0-'], /v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}/, WHOLE),
  format('supabase-token', ['sbp_'], /sbp_[a-f0-9]{40,}/, WHOLE),
  format('netlify-token', ['nfp_'], /nfp_[A-Za-z0-9]{36,}/, WHOLE),
  format('tailscale-key', ['tskey-'], /tskey-[a-z]{3,12}-[A-Za-z0-9-]{16,}/),
  format('databricks-token', ['dapi'], /dapi[a-f0-9]{32}(?:-\d)?/, WHOLE),

  // code hosts, registries, build servers
  format('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /gh[pousr]_[A-Za-z0-9]{36,}/),
  format('github-token', ['github_pat_'], /github_pat_\w{22,}/),
  format(
    'gitlab-token',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'glagent-', 'gloas-', 'glimt-', 'glffct-'],
    /gl[a-z]{2,5}-[\w-]{20,}(?:\.[\w-]{1,64}){0,4}/,
  ),
  format('gitlab-token', ['GR1348941'], /GR1348941[\w-]{20,}/),
  format('bitbucket-token', ['ATBB', 'ATCTT3'], /AT(?:BB|CTT3)[\w=-]{20,}/, WHOLE),
  format('atlassian-token', ['ATATT3'], /ATATT3[\w=-]{40,}/, WHOLE),
  format('npm-token', ['npm_'], /npm_[A-Za-z0-9]{36,}/),
  format('pypi-token', ['pypi-'], /pypi-[\w-]{50,}/),
  format('rubygems-token', ['rubygems_'], /rubygems_[a-f0-9]{48,}/),
  format('nuget-key', ['oy2'], /oy2[a-z0-9]{43}(?![A-Za-z0-9])/, WHOLE),
  format('crates-token', ['cio'], /cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/, WHOLE),
  format('docker-token', ['dckr_pat_', 'dckr_oat_'], /dckr_[po]at_[\w-]{20,}/),
  format('artifactory-key', ['AKCp', 'cmVmd'], /(?:AKCp|cmVmd)[A-Za-z0-9]{59,}/, WHOLE),
  format('circleci-token', ['CCIPAT_'], /CCIPAT_\w{20,}/),
  format('buildkite-token', ['bkua_'], /bkua_[a-z0-9]{40,}/),
  format('sonar-token', ['squ_', 'sqp_', 'sqa_'], /sq[upa]_[a-f0-9]{40,}/, WHOLE),
  format('sentry-token', ['sntrys_', 'sntryu_'], /sntry[su]_[\w+/=-]{40,}/),
  format('postman-key', ['PMAK-'], /PMAK-[A-Fa-f0-9]{24}-[A-Fa-f0-9]{30,}/),
  format('linear-token', ['lin_api_', 'lin_oauth_'], /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/),
  format('notion-token', ['ntn_', 'secret_'], /(?:ntn_|secret_)[A-Za-z0-9]{43,}/, WHOLE),
  format('figma-token', ['figd_'], /figd_[\w-]{36,}/),
  format('airtable-token', ['pat'], /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/, WHOLE),

  // secrets of infrastructure
  format('vault-token', ['hvs.', 'hvb.', 'hvr.'], /hv[sbr]\.[\w-]{20,}/, WHOLE),
  format('vault-token', ['s.'], /s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w.(])/, WHOLE),
  format('terraform-token', ['.atlasv1.'], /\.atlasv1\.[\w=-]{40,}/, { lead: /[A-Za-z0-9]{14}$/ }),
  format('pulumi-token', ['pul-'], /pul-[a-f0-9]{40,}/, WHOLE),
  format('doppler-token', ['dp.'], /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,}/, WHOLE),
  format('planetscale-token', ['pscale_'], /pscale_(?:tkn|oauth|pw)_[\w=-]{30,}/),
  format('grafana-token', ['glsa_', 'glc_'], /gl(?:sa|c)_[\w+/-]{32,}={0,3}/, WHOLE),
  format('dynatrace-token', ['dt0c01.', 'dt0s01.'], /dt0[cs]01\.[A-Z0-9]{24}\.[A-Z0-9]{60,}/),
  format('newrelic-key', ['NRAK-', 'NRII-'], /NR(?:AK|II)-[\w-]{27,}/),
  format('age-secret-key', ['AGE-SECRET-KEY-1'], /AGE-SECRET-KEY-1[A-Z0-9]{50,}/),
  format('1password-token', ['ops_eyJ'], /ops_eyJ[\w+/-]{50,}={0,3}/),
  format(
    '1password-secret-key',
    ['A3-'],
    /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/,
    WHOLE,
  ),
  format('openshift-token', ['sha256~'], /sha256~[\w-]{43,}/),

  // models
  format('anthropic-key', ['sk-ant-'], /sk-ant-[\w-]{20,}/),
  format(
    'openai-key',
    ['sk-'],
    /sk-(?:(?:proj|svcacct|admin|or-v1|lf|None)-[\w-]{16,}|[A-Za-z0-9]{20,}(?:-[\w-]{20,})?)/,
    WHOLE,
  ),
  format('huggingface-token', ['hf_', 'api_org_'], /(?:hf|api_org)_[A-Za-z0-9]{30,}/, WHOLE),
  format('replicate-token', ['r8_'], /r8_[A-Za-z0-9]{36,}/, WHOLE),
  format('groq-key', ['gsk_'], /gsk_[A-Za-z0-9]{40,}/, WHOLE),
  format('xai-key', ['xai-'], /xai-[A-Za-z0-9]{60,}/, WHOLE),
  format('perplexity-key', ['pplx-'], /pplx-[A-Za-z0-9]{40,}/, WHOLE),

  // money, mail, chat
  format(
    'stripe-key',
    ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_', 'sk_prod_', 'rk_prod_'],
    /[sr]k_[a-z]{4}_\w{10,}/,
  ),
  format('stripe-webhook-secret', ['whsec_'], /whsec_[A-Za-z0-9+/]{24,}={0,2}/),
  format(
    'square-token',
    ['sq0atp-', 'sq0csp-', 'EAAA'],
    /(?:sq0(?:atp|csp)-[\w-]{22,}|EAAA[\w-]{56,60}(?![\w-]))/,
    WHOLE,
  ),
  format('facebook-token', ['EAA'], /EAA[A-Za-z0-9]{90,}/, WHOLE),
  format('shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], /shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32,}/),
  format('sendgrid-key', ['SG.'], /SG\.[\w-]{16,32}\.[\w-]{16,}/, WHOLE),
  format('sendinblue-key', ['xkeysib-', 'xsmtpsib-'], /x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{10,}/),
  format('mailgun-key', ['key-'], /key-[0-9a-f]{32}(?![0-9A-Za-z])/, WHOLE),
  format('twilio-key', ['SK'], /SK[0-9a-f]{32}(?![0-9A-Za-z])/, WHOLE),
  format(
    'slack-token',
    ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-'],
    /xox[a-z]-[\w%-]{10,}/,
  ),
  format('slack-token', ['xoxe.xox'], /xoxe\.xox[a-z]-[\w-]{10,}/),
  format('slack-token', ['xapp-'], /xapp-\d-[\w-]{10,}/),
  format('slack-webhook', ['hooks.slack.com/'], /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w+/-]{20,})/),
  format('discord-webhook', ['/api/webhooks/'], /\/api\/webhooks\/\d{15,22}\/([\w-]{40,})/),
  format('discord-token', ['M', 'N', 'O'], /[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,}/, WHOLE),
  format('discord-token', ['mfa.'], /mfa\.[\w-]{60,}/, WHOLE),
  format('teams-webhook', ['/IncomingWebhook/'], /\/IncomingWebhook\/([a-f0-9]{32}\/[a-f0-9-]{36}(?:\/[\w-]{1,64})?)/),
  format('telegram-token', [':A'], /:A[\w-]{34,}/, { lead: /\d{6,12}$/ }),

  // of any carrier
  format('jwt', ['eyJ'], /eyJ[\w-]{8,4096}\.[\w-]{8,}(?:\.[\w-]{0,4096}){0,3}/, WHOLE),
  format('private-key', ['LS0tLS1CRUdJTi'], /LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)[\w+/-]{60,}={0,2}/, WHOLE),
  format(
    'bearer-token',
    ['Bearer ', 'bearer ', 'BEARER '],
    /.{6}[ \t]{1,8}((?=[A-Za-z_+/~.-]{0,40}\d)[\w.~+/-]{16,}={0,2})/,
    WHOLE,
  ),
  format(
    'basic-credentials',
    ['Basic ', 'basic '],
    /.{5}[ \t]{1,8}((?=[A-Za-z+/]{0,40}[\dA-Z])[A-Za-z0-9+/]{12,}={1,2})/,
    WHOLE,
  ),
  format(
    'password',
    [' -u ', ' -u"', " -u'", '--user ', '--user='],
    /.{3,6}[ "'=]{0,2}[^\s:"'/]{1,128}:((?!\d{1,10}(?!\S))[^\s"'`]{4,})/,
  ),
  format('password', ['sshpass -p'], /sshpass -p[ ]{0,2}["']?([^\s"']{4,})/),
  // `.netrc`, over lines; also as it stands within a string of JSON
  format(
    'password',
    ['machine ', 'default '],
    /(?:machine(?:\s|\\[nrt]){1,16}[^\s\\]{1,128}|default)(?:(?:\s|\\[nrt]){1,16}(?:login|account)(?:\s|\\[nrt]){1,16}[^\s\\]{1,128}){1,2}(?:\s|\\[nrt]){1,16}password(?:\s|\\[nrt]){1,16}([^\s\\"]{4,})/,
    WHOLE,
  ),
  format('password', ['login '], /login[ \t]{1,4}[^\s]{1,128}[ \t]{1,4}password[ \t]{1,4}(\S{4,})/, WHOLE),
  format('password', ['IDENTIFIED BY ', 'identified by '], /.{14}["']([^"'\s]{4,})/),
  format('password', ["PASSWORD '", "password '"], /.{8} '([^'\s]{4,})'/, WHOLE),
];

/** Secrets without a beginning of their own that are the whole of a run of letters, digits, `+`, `/`, `_`, `-` and `=`. */
export const RUN_FORMATS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'azure-storage-key', pattern: /^[A-Za-z0-9+/]{86}==$/ },
  { kind: 'mailgun-key', pattern: /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/ },
  { kind: 'mailchimp-key', pattern: /^[0-9a-f]{32}-us\d{1,2}$/ },
];

/** Secrets told by the name they are given: what is assigned to such a key and has such a form. */
export const KEYED_FORMATS: readonly { readonly kind: string; readonly key: RegExp; readonly value: RegExp }[] = [
  { kind: 'aws-secret-key', key: /aws|secret_access_key/, value: /^[A-Za-z0-9+/]{40}$/ },
  { kind: 'aws-signature', key: /(?:^|_)signature$/, value: /^[0-9a-f]{64}$/ },
  { kind: 'heroku-api-key', key: /heroku/, value: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i },
  { kind: 'twilio-auth-token', key: /twilio|^auth_token$/, value: /^[0-9a-f]{32}$/ },
  { kind: 'cloudflare-token', key: /cloudflare|^cf_api/, value: /^(?:[\w-]{40}|[0-9a-f]{37})$/ },
  { kind: 'datadog-key', key: /datadog|^dd_/, value: /^[0-9a-f]{32}(?:[0-9a-f]{8})?$/ },
  { kind: 'bitbucket-secret', key: /bitbucket/, value: /^[\w=-]{32,64}$/ },
  { kind: 'session-cookie', key: /^(?:phpsessid|jsessionid|connect_sid)$/, value: /^[\w%.~+/:-]{16,}=*$/ },
];
