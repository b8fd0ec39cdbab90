import { beforeAll, expect, test } from 'vitest';
import { configMaps, crdOf, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { podOf } from '../pods/pod-cases.ts';

const long = 300_000;
const times = (text: string, count = long) => text.repeat(count);
const formats = {
  email: times(' '),
  duration: times('1'),
  spaced: `1${times(' ')}`,
  hostname: times('a-'),
  byte: times('abcd') + '!',
  uri: times(':a'),
  uuid: times('a'),
  mac: times('aa:'),
  rgbcolor: `rgb(1${times(' ')}`,
  creditcard: times('1-'),
  cidr: times('1.'),
  ipv6: times(':'),
};

onEachServer('long texts that are made to hurt', (server) => {
  beforeAll(async () => {
    const schemas = Object.keys(formats).map((format) => [
      format,
      { type: 'string', format: format === 'spaced' ? 'duration' : format },
    ]);
    await installCrd(server.session, crdOf('Long', Object.fromEntries(schemas)));
  });

  test('blank lines before YAML', async () => {
    const raw = `${times('\n')}: a: b`;
    const { code } = await server.session.send('POST', configMaps, { raw, contentType: 'application/yaml' });
    expect(code).toBe(400);
  });

  test('aliases in YAML', async () => {
    const raw = `metadata: {name: a}\nnope: [${'a,'.repeat(5_000)}&a a,${times('*a,', 200_000)}]\n`;
    const { code } = await server.session.send('POST', `${configMaps}?dryRun=All`, {
      raw,
      contentType: 'application/yaml',
    });
    expect(code).toBe(201);
  });

  test('backslashes in JSON', async () => {
    const raw = `{"a":"${times('\\\\')}\\x"}`;
    expect((await server.session.send('POST', configMaps, { raw })).code).toBe(400);
  });

  test.each(Object.entries(formats))('the format %s', async (format, text) => {
    const object = objectOf('Long', 'long', { [format]: text });
    expect((await server.session.post(`${pathOf('Long')}?dryRun=All`, object)).code).toBe(422);
  });

  test.each([
    [
      'an amount of memory',
      400,
      (pod) => (pod.spec.containers[0].resources = { limits: { memory: `${times('0')}!` } }),
    ],
    ['an image', 422, (pod) => (pod.spec.containers[0].image = `${times('a-a/')}!`)],
    ['an address', 422, (pod) => (pod.spec.hostAliases = [{ ip: times('1.') }])],
    [
      'a reference to a field',
      422,
      (pod) =>
        (pod.spec.containers[0].env = [{ name: 'A', valueFrom: { fieldRef: { fieldPath: times("['") } } }]),
    ],
    [
      'a name of iSCSI',
      422,
      (pod) =>
        (pod.spec.volumes = [
          { name: 'v', iscsi: { targetPortal: 'a', lun: 1, iqn: `${times('iqn.2020-01.a:', 100_000)},` } },
        ]),
    ],
  ] as const satisfies readonly (readonly [string, number, (pod: any) => unknown])[])(
    '%s of a pod',
    async (_, expected, change) => {
      const pod: any = podOf({ containers: [{ name: 'a', image: 'a' }] });
      change(pod);
      const { code } = await server.session.post('/api/v1/namespaces/default/pods?dryRun=All', pod);
      expect(code).toBe(expected);
    },
  );

  test('invalid certificates', async () => {
    const pem = Buffer.from(times('-----BEGIN A-----\n', 20_000)).toString('base64');
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'pair' },
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': pem, 'tls.key': pem },
    };
    expect((await server.session.post('/api/v1/namespaces/default/secrets?dryRun=All', secret)).code).toBe(
      201,
    );
  });
});
