import { type JsonWebKey, createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';

const configuration = '/.well-known/openid-configuration';
const keys = '/openid/v1/jwks';
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

onEachServer('discovery of the issuer of tokens', (server) => {
  /** Addresses, keys and their identifiers differ. */
  const told = ({ code, contentType, headers, body }: Answer): unknown => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return {
      code,
      contentType,
      cacheControl: headers['cache-control'],
      body: text
        .replaceAll(/"issuer":"[^"]*"/g, '"issuer":"<issuer>"')
        .replaceAll(/"https?:\/\/[\d.:]+\//g, '"<server>/')
        .replaceAll(/"(kid|x|y)":"[\w-]*"/g, '"$1":"<$1>"')
        .trim(),
    };
  };

  test('the documents', async () => {
    const found: Record<string, unknown> = {};
    for (const path of [configuration, keys, `${configuration}/`, `${keys}/`, '/.well-known', '/openid/v1']) {
      for (const method of ['GET', 'POST', 'HEAD'])
        found[`${method} ${path}`] = told(await server.session.send(method, path));
    }
    for (const accept of ['*/*', 'application/jwk-set+json', 'text/html', 'application/yaml']) {
      for (const path of [configuration, keys])
        found[`${path} as ${accept}`] = told(await server.session.send('GET', path, { accept }));
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/openid-discovery/documents.yaml');
  });

  test('ServiceAccounts may read them', async () => {
    const found: Record<string, unknown> = {};
    for (const user of ['jane', 'system:anonymous', 'system:serviceaccount:default:robot']) {
      for (const path of [configuration, keys]) {
        const headers = { 'impersonate-user': user };
        const { code, body } = await server.session.send('GET', path, { headers });
        found[`${user} ${path}`] = code === 200 ? code : body.message;
      }
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/openid-discovery/readers.yaml');
  });

  test('a token can be verified with them', async () => {
    await server.session.post(accounts, { metadata: { name: 'robot' } });
    const { token } = (await server.session.post(`${accounts}/robot/token`, {})).body.status;
    const [header = '', payload = '', signature = ''] = token.split('.');
    const { issuer, id_token_signing_alg_values_supported: algorithms } = (
      await server.session.get(configuration)
    ).body;
    expect(decoded(payload).iss).toBe(issuer);
    expect(algorithms).toEqual([decoded(header).alg]);
    const answer = await server.session.send('GET', keys, { accept: 'application/jwk-set+json' });
    const set: { keys: (JsonWebKey & { kid: string })[] } = JSON.parse(answer.body);
    const jwk = set.keys.find(({ kid }) => kid === decoded(header).kid);
    const key = {
      key: createPublicKey({ key: { ...jwk }, format: 'jwk' }),
      dsaEncoding: 'ieee-p1363' as const,
    };
    const signed = Buffer.from(`${header}.${payload}`);
    expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
  });
});
