import type { JSONSchemaProps } from 'ots-kubernetes/apiextensions/v1';
import { beforeAll, expect, test } from 'vitest';
import { parseJson } from '../../../src/json/parse-json.ts';
import { configMaps, crdOf, crdsPath, pathOf, until } from '../../support/fixtures.ts';
import { normalize } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { body, field, integer, metadata } from '../../support/protobuf-writer.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Sending } from '../../support/session.ts';
import { withSortedKeys } from '../../support/with-sorted-keys.ts';

const kind = 'LargeInteger';
const path = pathOf(kind);
const pods = '/api/v1/namespaces/default/pods';

/** One more than 2^53, and the ends of 64 bits. */
const large = '9007199254740993';
const [least, most] = ['-9223372036854775808', '9223372036854775807'];

const int64: JSONSchemaProps = { type: 'integer', format: 'int64' };
const anything: JSONSchemaProps = { 'x-kubernetes-preserve-unknown-fields': true };
const keyed: JSONSchemaProps = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['id'],
  items: { type: 'object', required: ['id'], properties: { id: int64, text: { type: 'string' } } },
};

const properties: Record<string, JSONSchemaProps> = {
  id: { type: 'integer' },
  long: int64,
  replicas: int64,
  short: { type: 'integer', format: 'int32' },
  decimal: { type: 'number' },
  double: { type: 'number', format: 'double' },
  any: anything,
  either: { 'x-kubernetes-int-or-string': true },
  text: { type: 'string' },
  keyed,
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: int64 },
  atoms: { type: 'array', items: int64 },
  map: { type: 'object', additionalProperties: int64 },
  atMost: { type: 'integer', maximum: 9007199254740992 },
  below: { type: 'integer', maximum: 9007199254740994, exclusiveMaximum: true },
  atLeast: { type: 'integer', minimum: -9007199254740992 },
  threes: { type: 'integer', multipleOf: 3 },
  halves: { type: 'number', multipleOf: 0.5 },
  ruled: {
    type: 'integer',
    'x-kubernetes-validations': [
      { rule: `self < ${most}`, message: 'too large' },
      { rule: 'self % 2 == 1', message: 'must be odd' },
    ],
  },
};

const uid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** A definition as text, because it contains integers that JavaScript would round. */
function definition(): string {
  const crd = crdOf(kind, properties);
  const [version] = crd.spec.versions;
  version.schema.openAPIV3Schema.properties.status = {
    type: 'object',
    properties: { seen: int64, replicas: int64 },
  };
  version.selectableFields = [{ jsonPath: '.spec.id' }];
  version.additionalPrinterColumns = [
    { name: 'Id', type: 'integer', jsonPath: '.spec.id' },
    { name: 'Decimal', type: 'number', jsonPath: '.spec.decimal' },
    { name: 'Text', type: 'string', jsonPath: '.spec.any' },
    { name: 'Long', type: 'integer', jsonPath: '.spec.long' },
    { name: 'Found', type: 'string', jsonPath: `.spec.keyed[?(@.id==${large})].text` },
    { name: 'More', type: 'string', jsonPath: '.spec.keyed[?(@.id>1)].text' },
  ];
  version.subresources.scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const { spec } = version.schema.openAPIV3Schema.properties;
  spec.properties.chosen = { type: 'integer', enum: [1, 'LARGE'] };
  spec.properties.defaulted = { type: 'integer', default: 'LARGE' };
  return JSON.stringify(crd).replaceAll('"LARGE"', large);
}

/** Values for the spec of a custom resource, as JSON text. */
const specs: readonly string[] = [
  ...['id', 'long', 'short', 'decimal', 'double', 'any', 'either'].flatMap((name) =>
    [large, `-${large}`, most, least, '9223372036854775808', '-9223372036854775809', '18446744073709551615']
      .concat([
        '9007199254740992',
        '9007199254740993.0',
        '9007199254740993.5',
        '1e17',
        '1e20',
        '1.0',
        '1e3',
        '-0',
      ])
      .concat(['2147483648', '100000000000000000000', '123456789012345678901234567890'])
      .map((number) => `{"${name}":${number}}`),
  ),
  `{"text":${large}}`,
  `{"text":1e20}`,
  `{"any":{"a":[${large},{"b":${most}}],"c":"${large}"}}`,
  `{"keyed":[{"id":${large},"text":"a"},{"id":9007199254740992,"text":"b"}]}`,
  `{"keyed":[{"id":${large},"text":"a"},{"id":${large},"text":"b"}]}`,
  `{"set":[${large},9007199254740992]}`,
  `{"set":[${large},${large}]}`,
  `{"set":[${most},9223372036854775806,${least}]}`,
  `{"atoms":[${large},${large}]}`,
  `{"map":{"a":${large},"b":1}}`,
  ...['atMost', 'below', 'threes', 'halves', 'chosen', 'ruled'].flatMap((name) =>
    [large, '9007199254740992', '9007199254740994', '9007199254740995', most].map(
      (number) => `{"${name}":${number}}`,
    ),
  ),
  `{"replicas":${large}}`,
  `{"replicas":-${large}}`,
  `{"atLeast":-${large}}`,
  '{"atLeast":-9007199254740992}',
  `{"defaulted":${most}}`,
  `{"unknown":${large}}`,
  `{"id":${large},"id":${most}}`,
  `{"id":"${large}"}`,
];

/** Fields of built-in kinds: the path, and the rest of the object around the number. */
const builtIn: readonly [path: string, kind: string, text: (number: string) => string][] = [
  [configMaps, 'v1 ConfigMap', (number) => `"metadata":{"name":"a","generation":${number}}`],
  [
    pods,
    'v1 Pod',
    (number) =>
      `"metadata":{"name":"a"},"spec":{"containers":[{"name":"a","image":"a"}],"activeDeadlineSeconds":${number}}`,
  ],
  [
    pods,
    'v1 Pod',
    (number) =>
      `"metadata":{"name":"a"},"spec":{"containers":[{"name":"a","image":"a"}],"terminationGracePeriodSeconds":${number}}`,
  ],
  [
    pods,
    'v1 Pod',
    (number) =>
      `"metadata":{"name":"a"},"spec":{"containers":[{"name":"a","image":"a","securityContext":{"runAsUser":${number}}}],"tolerations":[{"operator":"Exists","effect":"NoExecute","tolerationSeconds":${number}}]}`,
  ],
  [
    pods,
    'v1 Pod',
    (number) =>
      `"metadata":{"name":"a"},"spec":{"containers":[{"name":"a","image":"a"}],"priority":${number}}`,
  ],
  [
    '/apis/apps/v1/namespaces/default/controllerrevisions',
    'apps/v1 ControllerRevision',
    (number) => `"metadata":{"name":"a"},"revision":${number},"data":{"a":${number}}`,
  ],
  [
    '/apis/batch/v1/namespaces/default/jobs',
    'batch/v1 Job',
    (number) =>
      `"metadata":{"name":"a"},"spec":{"activeDeadlineSeconds":${number},"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}}`,
  ],
  [
    '/apis/apps/v1/namespaces/default/deployments',
    'apps/v1 Deployment',
    (number) =>
      `"metadata":{"name":"a"},"spec":{"replicas":${number},"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"a","image":"a"}]}}}`,
  ],
  [
    '/api/v1/namespaces/default/persistentvolumeclaims',
    'v1 PersistentVolumeClaim',
    (number) =>
      `"metadata":{"name":"a"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":${number}}}}`,
  ],
];
const numbers = [
  large,
  most,
  least,
  '9223372036854775808',
  '1e17',
  '1.0',
  '2147483648',
  '-2147483649',
  '1e20',
];

/** Without what differs from run to run. */
function recordable(value: unknown): string {
  return asRecorded(value).replaceAll(uid, 'uid');
}

onEachServer('large integers', (server) => {
  beforeAll(async () => {
    await server.session.send('POST', crdsPath, { raw: definition() });
    await until(async () => (await server.session.get(path)).code === 200);
  });

  /** Sends a request and keeps all digits of the answer. */
  async function send(
    method: string,
    url: string,
    sending: Sending = {},
  ): Promise<{ code: number; text: string }> {
    const response = await server.session.open(method, url, sending);
    let text = '';
    response.setEncoding('utf8');
    for await (const chunk of response) text += chunk;
    return { code: response.statusCode ?? 0, text };
  }

  async function seen(method: string, url: string, sending: Sending = {}): Promise<unknown> {
    const { code, text } = await send(method, url, sending);
    const answer = parseJson(text) as any;
    if (code >= 400) return { code, message: answer.message };
    const { spec, status, revision, data } = normalize(answer);
    return withSortedKeys({ code, spec, status, revision, data, generation: answer.metadata.generation });
  }

  const objectText = (name: string, spec: string) =>
    `{"apiVersion":"conformance.example.com/v1","kind":"${kind}","metadata":{"name":"${name}"},"spec":${spec}}`;

  test('custom resources', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const spec of specs)
      outcomes[spec] = await seen('POST', `${path}?dryRun=All`, { raw: objectText('a', spec) });
    await expect(recordable(outcomes)).toMatchFileSnapshot(
      '../recorded/large-integers/custom-resources.yaml',
    );
  });

  test('YAML', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const number of [
      large,
      most,
      least,
      '9223372036854775808',
      '0x20000000000001',
      '0400000000000000001',
      '9_007_199_254_740_993',
      '1e17',
      '18446744073709551616',
    ]) {
      const raw = objectText('a', `{"id":${number},"any":${number}}`).replaceAll(/"([a-zA-Z]+)":/g, '"$1": ');
      outcomes[number] = await seen('POST', `${path}?dryRun=All`, { raw, contentType: 'application/yaml' });
    }
    await expect(recordable(outcomes)).toMatchFileSnapshot('../recorded/large-integers/yaml.yaml');
  });

  test('built-in kinds', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const [url, type, textOf] of builtIn) {
      const [apiVersion, ownKind] = type.split(' ');
      for (const number of numbers) {
        const raw = `{"apiVersion":"${apiVersion}","kind":"${ownKind}",${textOf(number)}}`;
        outcomes[`${ownKind} ${textOf(number)}`] = await seen('POST', `${url}?dryRun=All`, { raw });
      }
    }
    await expect(recordable(outcomes)).toMatchFileSnapshot('../recorded/large-integers/built-in-kinds.yaml');
  });

  test('every way to write and to read', async () => {
    const url = `${path}/history`;
    const steps: Record<string, unknown> = {};
    const step = async (name: string, method: string, at: string, raw?: string, contentType?: string) => {
      steps[name] = await seen(method, at, {
        ...(raw !== undefined && { raw }),
        ...(contentType !== undefined && { contentType: `application/${contentType}` }),
      });
    };
    await step(
      'create',
      'POST',
      path,
      objectText(
        'history',
        `{"id":${large},"replicas":7,"keyed":[{"id":${large},"text":"x"},{"id":2,"text":"y"}],"any":{"a":[${most}]}}`,
      ),
    );
    await step('get', 'GET', url);
    await step('the same as a patch', 'PATCH', url, `{"spec":{"id":${large}}}`, 'merge-patch+json');
    await step('another in a patch', 'PATCH', url, '{"spec":{"id":9007199254740995}}', 'merge-patch+json');
    await step(
      'a test that fails',
      'PATCH',
      url,
      '[{"op":"test","path":"/spec/id","value":9007199254740996}]',
      'json-patch+json',
    );
    await step(
      'a test that holds',
      'PATCH',
      url,
      `[{"op":"test","path":"/spec/id","value":9007199254740995},{"op":"copy","from":"/spec/id","path":"/spec/long"},{"op":"add","path":"/spec/set","value":[${large},9007199254740992]}]`,
      'json-patch+json',
    );
    await step('status', 'PATCH', `${url}/status`, `{"status":{"seen":${most}}}`, 'merge-patch+json');
    await step('scale', 'GET', `${url}/scale`);
    const { text } = await send('GET', url);
    await step('put of what was read', 'PUT', url, text);
    await step('put', 'PUT', url, text.replaceAll('9007199254740995', most));
    await step('delete', 'DELETE', url);
    await expect(recordable(steps)).toMatchFileSnapshot('../recorded/large-integers/history.yaml');
  });

  // A real server rounds the keys of items in managed fields when it reads them again.
  test('apply', async () => {
    const url = `${path}/applied`;
    const steps: Record<string, unknown> = {};
    const apply = async (name: string, manager: string, spec: string) => {
      const raw = objectText('applied', spec);
      steps[name] = await seen('PATCH', `${url}?fieldManager=${manager}`, {
        raw,
        contentType: 'application/apply-patch+yaml',
      });
    };
    await apply(
      'create',
      'a',
      `{"keyed":[{"id":${large},"text":"x"},{"id":12345678,"text":"y"}],"set":[${large},${most}],"decimal":${large}}`,
    );
    const { metadata: found } = parseJson((await send('GET', url)).text) as any;
    steps['managed fields'] = found.managedFields[0].fieldsV1;
    await apply('an item twice', 'a', `{"set":[${large},${large}]}`);
    await apply('a conflict', 'b', '{"decimal":9007199254740992,"keyed":[{"id":12345678,"text":"z"}]}');
    await apply('the same', 'b', `{"decimal":${large}}`);
    await apply('a text', 'b', `{"text":${large}}`);
    await expect(recordable(steps)).toMatchFileSnapshot('../recorded/large-integers/apply.yaml');
  });

  test('lists, watches, tables and other forms', async () => {
    await send('POST', path, {
      raw: objectText(
        'shown',
        `{"id":${large},"decimal":${most},"any":[${least}],"long":${most},"keyed":[{"id":${large},"text":"found"}]}`,
      ),
    });
    const url = `${path}/shown`;
    const selected = `${path}?fieldSelector=spec.id%3D${large}`;
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    for (const [at, wanted] of [
      [url, 'application/json'],
      [selected, 'application/json'],
      [`${selected}&watch=1&timeoutSeconds=1`, 'application/json'],
    ] as const) {
      const { text } = await send('GET', at, { accept: wanted });
      const [first = ''] = text.split('\n');
      const value = parseJson(first) as any;
      const { spec } = value.items?.[0] ?? value.object ?? value;
      expect(spec).toMatchObject({
        id: BigInt(large),
        decimal: BigInt(most),
        any: [BigInt(least)],
        defaulted: BigInt(large),
      });
    }
    expect((await send('GET', `${path}?fieldSelector=spec.id%3D9007199254740992`)).text).toContain(
      '"items":[]',
    );
    const yaml = await send('GET', url, { accept: 'application/yaml' });
    expect(yaml.text).toContain(`  decimal: ${most}\n  defaulted: ${large}\n  id: ${large}\n`);
    const pretty = await send('GET', `${url}?pretty=true`);
    expect(pretty.text).toContain(`    "id": ${large},\n`);
    const rows = [];
    for (const at of [`${selected}&includeObject=Object`, url]) {
      const table = parseJson((await send('GET', at, { accept })).text) as any;
      rows.push(...table.rows.map(({ cells, object }: any) => withSortedKeys({ cells, spec: object.spec })));
    }
    await expect(recordable(rows)).toMatchFileSnapshot('../recorded/large-integers/tables.yaml');
  });

  test('protobuf', async () => {
    const outcomes: Record<string, unknown> = {};
    for (const number of [large, most, least, '2']) {
      const raw = body(
        'apps/v1',
        'ControllerRevision',
        metadata('a', integer(7, BigInt(number))),
        field(2, field(1, `{"a":${number}}`)),
        integer(3, BigInt(number)),
      );
      outcomes[number] = await seen(
        'POST',
        '/apis/apps/v1/namespaces/default/controllerrevisions?dryRun=All',
        { raw, contentType: 'application/vnd.kubernetes.protobuf' },
      );
    }
    await expect(recordable(outcomes)).toMatchFileSnapshot('../recorded/large-integers/protobuf.yaml');
  });

  test('grace periods overflow where their nanoseconds do', async () => {
    const outcomes: Record<string, unknown> = {};
    const cases = [
      [large],
      ['9223372037'],
      ['300000000000'],
      ['30', large],
      ['30', least],
      ['30', '9223372036854775808'],
    ];
    for (const [index, [own, asked]] of cases.entries()) {
      const name = `graceful-${index}`;
      const raw = `{"metadata":{"name":"${name}"},"spec":{"nodeName":"n","terminationGracePeriodSeconds":${own},"containers":[{"name":"a","image":"a"}]}}`;
      await send('POST', pods, { raw });
      const options = asked === undefined ? '{}' : `{"gracePeriodSeconds":${asked}}`;
      const {
        message,
        metadata: { deletionTimestamp, deletionGracePeriodSeconds: seconds },
      } = parseJson((await send('DELETE', `${pods}/${name}`, { raw: options })).text) as any;
      const hours = deletionTimestamp && Math.round((Date.parse(deletionTimestamp) - Date.now()) / 3_600_000);
      outcomes[`${own} ${options}`] = { message, seconds, hours };
    }
    await expect(recordable(outcomes)).toMatchFileSnapshot('../recorded/large-integers/grace-periods.yaml');
  });

  test('deletion counts beyond 2^53', async () => {
    const raw = `{"metadata":{"name":"counted","generation":${large},"finalizers":["a.example.com/b"]}}`;
    await send('POST', configMaps, { raw });
    const deleted = parseJson((await send('DELETE', `${configMaps}/counted`)).text) as any;
    expect(deleted.metadata.generation).toBe(9007199254740994n);
    await server.session.merge(`${configMaps}/counted`, { metadata: { finalizers: null } });
  });
});
