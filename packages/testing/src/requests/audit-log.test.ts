import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AuditLog } from './audit-log.ts';
import { RequestLog } from './request-log.ts';

test('reads at the same time add each request once', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'ots-audit-log-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const auditLog = new AuditLog(directory);
  const file = (await auditLog.flags()).at(-1)!.replace('--audit-log-path=', '');
  await appendFile(file, eventOf('/api/v1/nodes'));
  const administrator = await startServer((requestUri) => appendFile(file, eventOf(requestUri)));

  const log = new RequestLog((requests) => auditLog.addTo(requests, administrator));
  await Promise.all([log.all(), log.all(), log.all()]);
  expect((await log.all()).map((request) => request.path)).toEqual(['/api/v1/nodes']);
});

/** A server that writes each request to its audit log before it responds. */
async function startServer(audit: (requestUri: string) => Promise<void>): Promise<{ server: string }> {
  const server = createServer((request, response) => {
    void audit(request.url ?? '').then(() => response.end('{}'));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server: `http://127.0.0.1:${port}` };
}

function eventOf(requestURI: string): string {
  const time = '2026-01-01T00:00:00Z';
  const stamps = { requestReceivedTimestamp: time, stageTimestamp: time };
  const event = { auditID: requestURI, stage: 'ResponseComplete', verb: 'get', requestURI, user: {} };
  return `${JSON.stringify({ ...event, ...stamps })}\n`;
}
