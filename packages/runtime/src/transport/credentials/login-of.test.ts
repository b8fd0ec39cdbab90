import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/virtual-clock.ts';
import type { ConnectionConfig } from '../../kubeconfig/connection-config.ts';
import { loginOf } from './login-of.ts';

const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'no-such-plugin' };
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ots-login-'));
  await writeFile(join(directory, 'token'), 'of-file\n');
});

afterAll(() => rm(directory, { recursive: true }));

// In the order of client-go: a user may have more than one login.
test.each<[string, Partial<ConnectionConfig>, string | undefined]>([
  ['a token file before a token', { tokenFile: 'token', token: 'fixed' }, 'Bearer of-file'],
  ['a token while its file cannot be read', { tokenFile: 'missing', token: 'fixed' }, 'Bearer fixed'],
  ['a password before a plugin', { username: 'u', password: 'p', exec }, 'Basic dTpw'],
  ['a token file before a plugin', { tokenFile: 'token', exec }, 'Bearer of-file'],
  ['a certificate before a plugin', { certFile: 'c', keyFile: 'k', exec }, undefined],
  ['headers before all', { headers: async () => ({ authorization: 'Own' }), token: 'fixed', exec }, 'Own'],
  ['no login', {}, undefined],
])('%s', async (_, { tokenFile, ...config }, authorization) => {
  const file = tokenFile && { tokenFile: join(directory, tokenFile) };
  const login = loginOf({ server: 'https://s', ...config, ...file }, new VirtualClock(), () => undefined);
  await login.refresh(new AbortController().signal);
  expect(login.current().headers['authorization']).toBe(authorization);
});
