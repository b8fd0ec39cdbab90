import { expect, test } from 'vitest';
import { isLocal } from '../../src/deploy/is-local.ts';

test.each([
  ['https://127.0.0.1:6443', 'default'],
  ['https://[::1]:6443', 'default'],
  ['https://localhost:6443', 'default'],
  ['https://0.0.0.0:6443', 'k3d'],
  ['https://kubernetes.docker.internal:6443', 'x'],
  ['https://192.168.49.2:8443', 'minikube'],
  ['https://10.1.2.3:6443', 'kind-e2e'],
  ['https://10.1.2.3:6443', 'k3d-dev'],
  ['https://10.1.2.3:6443', 'rancher-desktop'],
  ['https://10.1.2.3:6443', 'orbstack'],
])('%s of the context %s is local', (server, context) => {
  expect(isLocal({ server, context })).toBe(true);
});

test.each([
  [{ server: 'https://prod.example.com', context: 'prod' }],
  [{ server: 'https://10.1.2.3:6443' }],
  [{ server: 'https://127.example.com' }],
  [{ server: 'https://10.1.2.3:6443', context: 'not-kind-e2e' }],
  [{ server: 'https://localhost:6443', proxyUrl: 'socks5://bastion:1080' }],
])('%j is not local', (connection) => {
  expect(isLocal(connection)).toBe(false);
});
