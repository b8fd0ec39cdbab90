import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { embeddedConfig } from './embedded-config.ts';

const origin = 'of the Secret fleet/prod';

function kubeconfig(user: Record<string, unknown>, cluster: Record<string, unknown> = {}): string {
  return stringify({
    'current-context': 'prod',
    contexts: [{ name: 'prod', context: { cluster: 'prod', user: 'me', namespace: 'team' } }],
    clusters: [{ name: 'prod', cluster: { server: 'https://prod.example.com', ...cluster } }],
    users: [{ name: 'me', user }],
  });
}

test('a kubeconfig with all of its credentials is a connection', async () => {
  const text = kubeconfig(
    { token: 's3cret' },
    { 'certificate-authority-data': Buffer.from('pem').toString('base64') },
  );
  expect(await embeddedConfig(origin, text)).toEqual({
    server: 'https://prod.example.com',
    caData: 'pem',
    token: 's3cret',
    context: 'prod',
    namespace: 'team',
  });
});

test.each([
  ['exec', kubeconfig({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh' } })],
  ['auth-provider', kubeconfig({ 'auth-provider': { name: 'oidc' } })],
  [
    'tokenFile',
    kubeconfig({ token: 'one', tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token' }),
  ],
  ['client-certificate', kubeconfig({ 'client-certificate': '/etc/passwd' })],
  ['client-key', kubeconfig({ 'client-key': 'key.pem' })],
  ['certificate-authority', kubeconfig({ token: 'one' }, { 'certificate-authority': '/does/not/exist' })],
])('a kubeconfig with %s is refused, and does not say whether the file exists', async (field, text) => {
  await expect(embeddedConfig(origin, text)).rejects.toThrow(
    expect.objectContaining({
      code: 'CONNECTION_CONFIG',
      message: expect.stringMatching(
        new RegExp(
          `^The kubeconfig ${origin} is invalid: (user "me"|cluster "prod"): it has ${field}, which would run`,
        ),
      ),
    }),
  );
});

test('an entry that the current context does not use is refused, too', async () => {
  const text = kubeconfig({ token: 'one' }).replace(
    'users:',
    'users:\n  - name: other\n    user: { exec: { command: sh } }',
  );
  await expect(embeddedConfig(origin, text)).rejects.toThrow('user "other": it has exec');
});

test.each([
  ['not YAML', '{', 'is malformed: not valid YAML'],
  ['a list', '[]', 'is malformed: expected a mapping'],
  ['no context', '{}', 'has no current-context'],
  ['too large', '#'.repeat(10 * 1024 * 1024 + 1), 'is larger than'],
])('%s is an error that names the Secret', async (_, text, message) => {
  const error: unknown = await embeddedConfig(origin, text).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 'CONNECTION_CONFIG' });
  expect(String(error)).toContain(message);
  expect(String(error)).toContain(origin);
});
