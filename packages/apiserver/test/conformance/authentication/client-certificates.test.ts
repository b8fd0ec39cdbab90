import { createClientAuthority, send } from 'ots-apiserver';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import {
  type CertificateContents,
  commonNameType,
  organizationType,
  userUidType,
} from 'ots-apimachinery/certificates/x509';
import { beforeAll, expect, test } from 'vitest';
import { clientCertificate } from '../../support/client-certificate.ts';
import { connectionOf } from '../../support/kubeconfig-connection.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const dayMs = 24 * 60 * 60 * 1000;
const serverAuth = '1.3.6.1.5.5.7.3.1';
const codeSigning = '1.3.6.1.5.5.7.3.3';
const anyPurpose = '2.5.29.37.0';

const authority = createClientAuthority(new Date());
/** It has the same name as the authority of the server. */
const otherAuthority = createClientAuthority(new Date());

const fromNow = (days: number) => new Date(Date.now() + days * dayMs);
const organizations = (...names: string[]) => names.map((name) => [organizationType, name] as const);
const commonName = (name: string) => [commonNameType, name] as const;
const uid = (value: string) => [userUidType, value] as const;

const certificates: Record<string, Partial<CertificateContents>> = {
  'a name': {},
  'an organization': { subject: [...organizations('one'), commonName('jane')] },
  'several organizations': { subject: [...organizations('two', 'one', 'two'), commonName('jane')] },
  'an empty organization': { subject: [...organizations(''), commonName('jane')] },
  'no name': { subject: organizations('one') },
  'an empty name': { subject: [commonName('')] },
  'two names': { subject: [commonName('jane'), commonName('joe')] },
  'an empty second name': { subject: [commonName('jane'), commonName('')] },
  'a name with special characters': {
    subject: [...organizations('a\nO=b', 'c+d,e'), commonName('ö\n"CN=x\\')],
  },
  'a long name': { subject: [commonName('n'.repeat(300))] },
  'a UID': { subject: [commonName('jane'), uid('u-1')] },
  'two UIDs': { subject: [commonName('jane'), uid('u-1'), uid('u-2')] },
  'an empty UID': { subject: [commonName('jane'), uid('')] },
  'the name of the anonymous user': { subject: 'system:anonymous' },
  'the group of authenticated users': {
    subject: [...organizations('system:authenticated'), commonName('jane')],
  },
  'the group of unauthenticated users': {
    subject: [...organizations('system:unauthenticated'), commonName('jane')],
  },
  'the name of a ServiceAccount': { subject: 'system:serviceaccount:default:robot' },
  'a past validity': { notBefore: fromNow(-3), notAfter: fromNow(-2) },
  'a future validity': { notBefore: fromNow(2), notAfter: fromNow(3) },
  'no purposes': { purposes: [] },
  'the purpose of a server': { purposes: [serverAuth] },
  'several purposes': { purposes: [serverAuth, codeSigning, '1.3.6.1.5.5.7.3.2'] },
  'any purpose': { purposes: [anyPurpose] },
  'an unknown purpose': { purposes: ['1.2.3.4'] },
  'an issuer of another name': { issuer: 'another' },
};

onEachServer('client certificates', { clientAuthority: authority }, (server) => {
  let token = '';

  beforeAll(async () => {
    await server.session.post(accounts, { metadata: { name: 'robot' } });
    token = (await server.session.post(`${accounts}/robot/token`, {})).body.status.token;
  });

  /** What the server says to a client with a certificate, or a token, or both. */
  async function identity(pair: CertificatePair | undefined, bearer?: string): Promise<unknown> {
    const { server: url, caData = '' } = connectionOf(await server.environment.kubeconfigFor({ user: 'x' }));
    const credentials = {
      ...(pair && { certData: pair.cert, keyData: pair.key }),
      ...(bearer !== undefined && { token: bearer }),
    };
    const connection = { server: url, caData, ...credentials };
    const { code, body }: { code: number; body: any } = await send(connection, 'POST', whoAmI, {});
    const text = JSON.stringify(code === 201 ? body.status.userInfo : { code, message: body.message });
    return JSON.parse(
      text.replaceAll(/=[\da-f]{64}/g, '=<sha256>').replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '<uid>'),
    );
  }

  test.each(Object.entries(certificates))('a certificate with %s', async (title, contents) => {
    const found = await identity(clientCertificate(authority, contents));
    const file = `../recorded/client-certificates/${title.replaceAll(' ', '-')}.yaml`;
    await expect(asRecorded(found)).toMatchFileSnapshot(file);
  });

  test('certificates of other authorities, and certificates beside tokens', async () => {
    const good = clientCertificate(authority, {});
    const bad = clientCertificate(otherAuthority, {});
    const found = {
      'no certificate': await identity(undefined),
      'another authority': await identity(bad),
      'another authority that names the key of the first': await identity(
        clientCertificate(otherAuthority, {}, authority),
      ),
      'the authority itself': await identity(authority),
      'another authority itself': await identity(otherAuthority),
      'a certificate and a token': await identity(good, token),
      'a certificate and a bad token': await identity(good, 'bad'),
      'a bad certificate and a token': await identity(bad, token),
      'a bad certificate and a bad token': await identity(bad, 'bad'),
      'a certificate without a name and a token': await identity(
        clientCertificate(authority, { subject: [] }),
        token,
      ),
      'a certificate without a name and a bad token': await identity(
        clientCertificate(authority, { subject: [] }),
        'bad',
      ),
    };
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/client-certificates/combinations.yaml');
  });

  test('the owner of a certificate may do what its groups allow', async () => {
    const { server: url, caData = '' } = connectionOf(await server.environment.kubeconfigFor({ user: 'x' }));
    const ask = async (groups: string[], headers: { impersonate?: { user: string } } = {}) => {
      const subject = [...organizations(...groups), commonName('jane')];
      const { cert, key } = clientCertificate(authority, { subject });
      const connection = { server: url, caData, certData: cert, keyData: key, ...headers };
      const { code, body }: { code: number; body: any } = await send(connection, 'GET', '/api/v1/nodes');
      return [code, body.message];
    };
    expect(await ask(['system:masters'])).toEqual([200, undefined]);
    expect(await ask([])).toEqual([
      403,
      'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
    ]);
    expect(await ask(['system:masters'], { impersonate: { user: 'joe' } })).toEqual([
      403,
      'nodes is forbidden: User "joe" cannot list resource "nodes" in API group "" at the cluster scope',
    ]);
  });
});
