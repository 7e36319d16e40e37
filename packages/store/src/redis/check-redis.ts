import { ReplyError } from 'ioredis';
import { describeAddress, parseRedisUrl } from './parse-redis-url.js';
import { connectRedis } from './redis-connection.js';

const OPEN_MS = 5_000;

/**
 * What could make this Redis lose what devs stores in it, one sentence each, for `devs doctor`. None: nothing known.
 *
 * Rejects with `StoreUnavailableError` when the server cannot be asked at all.
 */
export async function checkRedis(url: string, { openMs = OPEN_MS } = {}): Promise<readonly string[]> {
  const address = parseRedisUrl(url);
  const connection = connectRedis(address, { waitMs: openMs });
  try {
    const info = await connection.run((redis) => redis.info(), openMs);
    const config = await connection.run((redis) =>
      redis.config('GET', 'appendfsync', 'save').catch(undefinedIfRefused),
    );
    return durabilityWarnings({
      info,
      config: config as readonly string[] | undefined,
      where: describeAddress(address),
    });
  } finally {
    await connection.close();
  }
}

/** Hosted servers often forbid CONFIG. */
function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof ReplyError)) throw error;
}

interface Findings {
  readonly info: string;
  /** Names and values in turn; `undefined` when CONFIG is forbidden. */
  readonly config: readonly string[] | undefined;
  readonly where: string;
}

function durabilityWarnings({ info, config, where }: Findings): readonly string[] {
  const infoOf = (name: string) => new RegExp(`^${name}:(\\S*)`, 'm').exec(info)?.[1];
  const configOf = (name: string) => config?.[config.indexOf(name) + 1];
  const policy = infoOf('maxmemory_policy') ?? 'unknown';
  const appendfsync = configOf('appendfsync');
  const warnings: string[] = [];

  if (policy !== 'noeviction') {
    warnings.push(
      `maxmemory-policy of ${where} is ${policy}: when memory is short it throws away what devs stored; set it to noeviction`,
    );
  }
  if (infoOf('aof_enabled') !== '1') {
    warnings.push(
      configOf('save') === ''
        ? `${where} keeps nothing on disk: all is lost when it ends; set appendonly yes and appendfsync always`
        : `appendonly of ${where} is off: a crash loses what came after its last snapshot; set appendonly yes and appendfsync always`,
    );
  } else if (appendfsync !== undefined && appendfsync !== 'always') {
    const lost = appendfsync === 'everysec' ? 'up to a second or two' : 'half a minute or more';
    warnings.push(
      `appendfsync of ${where} is ${appendfsync}: a power cut loses ${lost} of what was stored; set it to always`,
    );
  }
  if (config === undefined) {
    warnings.push(
      `${where} does not let this user read its settings (CONFIG): make sure that appendfsync is always, or know that a power cut may lose the last seconds`,
    );
  }
  return warnings;
}
