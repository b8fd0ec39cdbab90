import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { callWebhook } from './call-webhook.ts';

test('a call does not keep the process running', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const active = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap' || name === 'Timeout').length;
  const before = active();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const call = callWebhook({ url }, {}, 10);
  const [request, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  expect(request).toBeDefined();
  // The socket of the webhook, and not that of the call. The test runner has timers of its own, but not for long.
  await vi.waitFor(() => expect(active() - before).toBeLessThanOrEqual(1));
  response.end('{"answered":true}');
  expect(await call).toStrictEqual({ answered: true });
  server.closeAllConnections();
  server.close();
});
