import { X509Certificate } from 'node:crypto';
import { createClientAuthority, send } from 'ots-apiserver';
import { type NameAttribute, commonNameType, organizationType } from 'ots-apimachinery/certificates/x509';
import { expect, test } from 'vitest';
import { type RequestContents, certificateRequest } from '../../support/certificate-request.ts';
import { until } from '../../support/fixtures.ts';
import { connectionOf } from '../../support/kubeconfig-connection.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const client = 'kubernetes.io/kube-apiserver-client';
const kubelet = 'kubernetes.io/kube-apiserver-client-kubelet';
const serving = 'kubernetes.io/kubelet-serving';
const clientUsages = ['digital signature', 'key encipherment', 'client auth'];
const servingUsages = ['digital signature', 'key encipherment', 'server auth'];
const minuteMs = 60_000;

const named = (name: string, ...groups: string[]): NameAttribute[] => [
  ...groups.map((group): NameAttribute => [organizationType, group]),
  [commonNameType, name],
];
const node = named('system:node:n', 'system:nodes');

interface Case {
  signer?: string;
  usages?: string[];
  seconds?: number;
  contents?: Partial<RequestContents>;
  /** What is decided about the request. Default `Approved`. */
  decision?: 'Approved' | 'Denied' | 'none';
}

const cases: Record<string, Case> = {
  'a client': {},
  'a client with an RSA key': { contents: { key: 'RSA' } },
  'a client with an Ed25519 key': { contents: { key: 'Ed25519' } },
  'a client without key usages': { usages: ['client auth'] },
  'a client with one key usage': { usages: ['client auth', 'key encipherment'] },
  'a client with names': {
    contents: {
      names: { dns: ['a.example.com'], ip: ['7f000001'], email: ['a@b.c'], uri: ['spiffe://a/b'] },
    },
  },
  'a client without a name': { contents: { subject: [] } },
  'a client that is also a server': { usages: [...clientUsages, 'server auth'] },
  'a client that is none': { usages: ['digital signature'] },
  'an old name of a usage': { usages: ['signing', 'client auth'] },
  'ten minutes': { seconds: 600 },
  'an hour': { seconds: 3600 },
  'eight hours': { seconds: 8 * 3600 },
  'a day': { seconds: 24 * 3600 },
  'ten years': { seconds: 10 * 365 * 24 * 3600 },
  'a request that is denied': { decision: 'Denied' },
  'a request without a decision': { decision: 'none' },
  'another signer': { signer: 'example.com/signer' },
  'another signer of Kubernetes': { signer: 'kubernetes.io/other' },
  'a kubelet': { signer: kubelet, contents: { subject: node } },
  'a kubelet without the encipherment of keys': {
    signer: kubelet,
    usages: ['digital signature', 'client auth'],
    contents: { subject: node },
  },
  'a kubelet with too few usages': { signer: kubelet, usages: ['client auth'], contents: { subject: node } },
  'a kubelet with too many usages': {
    signer: kubelet,
    usages: [...clientUsages, 'server auth'],
    contents: { subject: node },
  },
  'a kubelet of no group': { signer: kubelet, contents: { subject: named('system:node:n') } },
  'a kubelet of two groups': {
    signer: kubelet,
    contents: { subject: named('system:node:n', 'system:nodes', 'b') },
  },
  'a kubelet with another name': { signer: kubelet, contents: { subject: named('n', 'system:nodes') } },
  ...Object.fromEntries(
    Object.entries({ dns: 'a', ip: '7f000001', email: 'a@b.c', uri: 'a://b' }).flatMap(([type, value]) => [
      [
        `a kubelet with a name: ${type}`,
        { signer: kubelet, contents: { subject: node, names: { [type]: [value] } } },
      ],
      [
        `a server with a name: ${type}`,
        { signer: serving, usages: servingUsages, contents: { subject: node, names: { [type]: [value] } } },
      ],
    ]),
  ),
  'a server without a name': { signer: serving, usages: servingUsages, contents: { subject: node } },
  'a server with all names': {
    signer: serving,
    usages: servingUsages,
    contents: { subject: node, names: { dns: ['a'], email: ['a@b.c'] } },
  },
  'a server with the usages of a client': {
    signer: serving,
    contents: { subject: node, names: { dns: ['a'] } },
  },
  'a server with another name': {
    signer: serving,
    usages: servingUsages,
    contents: { subject: named('n', 'system:nodes'), names: { dns: ['a'] } },
  },
  'a server of no group': { signer: serving, usages: servingUsages, contents: { names: { dns: ['a'] } } },
};

const authority = createClientAuthority(new Date());

onEachServer(
  'approved certificate requests',
  { clientAuthority: authority, controllers: { certificateRequests: true } },
  (server) => {
    const create = async (
      name: string,
      { signer = client, usages = clientUsages, seconds, contents }: Case,
    ) => {
      const { request, key } = certificateRequest({ subject: named('jane', 'one', 'two'), ...contents });
      const spec = { request, signerName: signer, usages, expirationSeconds: seconds };
      const { code, body } = await server.session.post(path, { metadata: { name }, spec });
      if (code !== 201) throw new Error(body.message);
      return { body, key };
    };
    const decide = async (body: any, type: string) => {
      const conditions = [{ type, status: 'True', reason: 'Test', message: 'by a test' }];
      return server.session.put(`${path}/${body.metadata.name}/approval`, {
        ...body,
        status: { conditions },
      });
    };
    const untilDone = async (name: string) => {
      let status: any;
      await until(async () => {
        ({ status } = (await server.session.get(`${path}/${name}`)).body);
        return (
          status?.certificate !== undefined || status?.conditions?.some(({ type }: any) => type === 'Failed')
        );
      });
      return status;
    };

    test('are signed, or fail, or stay as they are', async () => {
      const outcomes: Record<string, unknown> = {};
      const found = Object.entries(cases).map(async ([title, one], index) => {
        const name = `case-${index}`;
        const { body } = await create(name, one);
        const { decision = 'Approved', signer = client } = one;
        const started = Date.now();
        if (decision !== 'none') await decide(body, decision);
        if (decision === 'Approved' && [client, kubelet, serving].includes(signer)) await untilDone(name);
        outcomes[title] = { index, started };
      });
      await Promise.all(found);
      // Requests are handled in their order, more or less.
      await decide((await create('last', {})).body, 'Approved');
      await untilDone('last');
      const recorded: Record<string, unknown> = {};
      for (const title of Object.keys(cases)) {
        const { index, started } = outcomes[title] as { index: number; started: number };
        const { status = {} } = (await server.session.get(`${path}/case-${index}`)).body;
        recorded[title] = shown(status, started);
      }
      await expect(asRecorded(recorded)).toMatchFileSnapshot('../recorded/certificate-requests.yaml');
    });

    test('make a client that the server knows', async () => {
      const { body, key } = await create('usable', {});
      await decide(body, 'Approved');
      const { certificate } = await untilDone('usable');
      const { server: url, caData = '' } = connectionOf(
        await server.environment.kubeconfigFor({ user: 'x' }),
      );
      const connection = {
        server: url,
        caData,
        certData: Buffer.from(certificate, 'base64').toString('utf8'),
        keyData: key,
      };
      const answer: any = await send(
        connection,
        'POST',
        '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        {},
      );
      const { username, groups } = answer.body.status.userInfo;
      expect([username, groups]).toEqual(['jane', ['one', 'two', 'system:authenticated']]);
    });
  },
);

/** What happened to a request that was decided at a time. */
function shown({ conditions = [], certificate }: any, decided: number): unknown {
  const all = conditions.map(({ lastUpdateTime, lastTransitionTime, ...condition }: any) => ({
    ...condition,
    dated: [lastUpdateTime, lastTransitionTime].map((time) => time !== undefined),
  }));
  if (certificate === undefined) return { conditions: all };
  const text = Buffer.from(certificate, 'base64').toString('utf8');
  const x509 = new X509Certificate(text);
  const minutesFrom = (date: string) => Math.round((Date.parse(date) - decided) / minuteMs);
  const extensions = x509.toLegacyObject();
  const { subject, ext_key_usage: purposes, subjectaltname } = extensions as any;
  return {
    conditions: all,
    certificate: {
      subject: { ...subject },
      names: subjectaltname?.split(', ').toSorted(),
      purposes,
      keyUsage: hexOfKeyUsage(x509.raw),
      isAuthority: x509.ca,
      issued: x509.checkIssued(new X509Certificate(authority.cert)),
      key: x509.publicKey.asymmetricKeyType,
      from: minutesFrom(x509.validFrom),
      to: minutesFrom(x509.validTo),
    },
  };
}

/** The value of the key usage: Node does not read it. */
function hexOfKeyUsage(certificate: Buffer): string {
  const hex = certificate.toString('hex');
  return /0603551d0f0101ff04040(302\w{4})/.exec(hex)?.[1] ?? 'none';
}
