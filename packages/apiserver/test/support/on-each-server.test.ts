import { expect, test } from 'vitest';
import { hasRealServer, onBothServers, onEachServer } from './on-each-server.ts';

if (!hasRealServer)
  console.warn('conformance: kube-apiserver is skipped; set KUBEBUILDER_ASSETS to compare with it');

const seen: string[] = [];
onEachServer('a block of tests', (server) => {
  test('has its own server', async () => {
    seen.push(server.name);
    expect((await server.session.get('/readyz')).code).toBe(200);
  });
});

onBothServers('a comparison', (servers) => {
  test('has the embedded server and kube-apiserver', () => {
    expect(servers.map(({ name }) => name)).toStrictEqual(['embedded', 'kube-apiserver']);
  });
});

test('every block runs against each server, or the one that was asked for', () => {
  const asked = process.env['CONFORMANCE_SERVER'];
  const available = hasRealServer ? ['embedded', 'kube-apiserver'] : ['embedded'];
  expect(seen).toStrictEqual(asked === undefined ? available : [asked]);
});
