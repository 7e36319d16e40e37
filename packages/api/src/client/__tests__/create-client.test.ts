import { describe, expect, it } from 'vitest';
import { createClient, type TransportAnswer, type TransportRequest } from '../create-client.js';

function clientThatHears(answer: TransportAnswer) {
  const requests: TransportRequest[] = [];
  const client = createClient({
    token: () => 'secret',
    async transport(request) {
      requests.push(request);
      return answer;
    },
  });
  return { client, requests };
}

describe('a client', () => {
  it('asks by the table, with its capability', async () => {
    const { client, requests } = clientThatHears({ status: 200, text: '{"status":"stopped"}' });

    expect(await client.call('runs.stop', { run: 'abc', now: true })).toEqual({ status: 'stopped' });
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/v1/runs/abc/stop',
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
        body: '{"now":true}',
      },
    ]);
  });

  it('rejects with the code and the words of a refusal', async () => {
    const text = '{"code":"not-found","message":"there is no run abc"}';
    const { client } = clientThatHears({ status: 404, text });

    await expect(client.call('runs.get', { run: 'abc' })).rejects.toMatchObject({
      code: 'not-found',
      message: 'there is no run abc',
    });
  });

  it('rejects an answer that is not in the schema', async () => {
    const { client } = clientThatHears({ status: 200, text: '{"status":"whatever"}' });

    await expect(client.call('runs.stop', { run: 'abc' })).rejects.toMatchObject({ code: 'failed' });
  });

  it('rejects an answer of something else than devs', async () => {
    const { client } = clientThatHears({ status: 502, text: '<html>' });

    await expect(client.call('status.get', {})).rejects.toThrow('status 502');
  });
});
