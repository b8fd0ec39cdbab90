import { expect, test } from 'vitest';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const collections: Readonly<Record<string, string>> = {
  ConfigMap: '/api/v1/namespaces/default/configmaps',
  Secret: '/api/v1/namespaces/default/secrets',
  Pod: '/api/v1/namespaces/default/pods',
  Service: '/api/v1/namespaces/default/services',
  ResourceQuota: '/api/v1/namespaces/default/resourcequotas',
  Deployment: '/apis/apps/v1/namespaces/default/deployments',
  StatefulSet: '/apis/apps/v1/namespaces/default/statefulsets',
  Lease: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
  ControllerRevision: '/apis/apps/v1/namespaces/default/controllerrevisions',
  CustomResourceDefinition: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
};

const pod = (fields: string) => `{"metadata":{"name":"a"},"spec":{${fields}}}`;
const container = (fields: string) => pod(`"containers":[{"name":"c","image":"i"${fields}}]`);
const configMap = (fields: string) => `{"metadata":{"name":"a"},${fields}}`;
const role = (fields: string) => `{"metadata":{"name":"a"}${fields}}`;
const crd = (schema: string) =>
  `{"metadata":{"name":"as.x.dev"},"spec":{"group":"x.dev","scope":"Cluster","names":{"plural":"as","kind":"A"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]}}`;

/** Bodies by kind, and the part of the answer that shows what the server read. */
const bodies: Readonly<Record<string, { kind: string; shows: string; bodies: readonly string[] }>> = {
  'maps of texts': {
    kind: 'ConfigMap',
    shows: 'data',
    bodies: [
      configMap('"data":{"a":"1"}'),
      configMap('"data":{"a":1}'),
      configMap('"data":{"a":null,"b":""}'),
      configMap('"data":{"a":["1"]}'),
      configMap('"data":{"a":{"b":"1"}}'),
      configMap('"data":{"a":true,"b":1}'),
      configMap('"data":["a"]'),
      configMap('"data":"a"'),
      configMap('"data":null'),
      configMap('"data":{}'),
      configMap('"Data":{"a":"1"}'),
      configMap('"data":{"a":"1"},"extra":{"b":[1]},"more":1'),
      configMap('"data":{"a":"1","b":"2","a":"3"}'),
      configMap('"data":{"a":"1"},"x":1,"data":{"b":"2"},"y":2'),
      configMap('"data":{"__proto__":"1","constructor":"2"}'),
      configMap('"__proto__":{"a":1},"constructor":{}'),
      configMap('"data":{"a":"\\ud800","b":"\\ud83d\\ude00","c":"\\udc00x","d":"\\\\ud800"}'),
      configMap('"immutable":"true"'),
      configMap('"immutable":false'),
      configMap('"immutable":1e400'),
    ],
  },
  'the type and the metadata': {
    kind: 'ConfigMap',
    shows: 'metadata.labels',
    bodies: [
      '{"kind":1,"metadata":{"name":"a"}}',
      '{"apiVersion":{},"metadata":{"name":"a"}}',
      '{"kind":null,"apiVersion":"","metadata":{"name":"a"}}',
      '{"metadata":1}',
      '{"metadata":[]}',
      '{"metadata":null}',
      '{"metadata":{"name":1}}',
      '{"metadata":{"name":"a","labels":{"a":1}}}',
      '{"metadata":{"name":"a","labels":{"a":null}}}',
      '{"metadata":{"name":"a","labels":["a"]}}',
      '{"metadata":{"name":"a","uid":1}}',
      '{"metadata":{"name":"a","generation":1.5}}',
      '{"metadata":{"name":"a","generation":99999999999999999999}}',
      '{"metadata":{"name":"a","creationTimestamp":"yesterday"}}',
      '{"metadata":{"name":"a","creationTimestamp":"2024-13-01T00:00:00Z"}}',
      '{"metadata":{"name":"a","creationTimestamp":5}}',
      '{"metadata":{"name":"a","ownerReferences":[{"apiVersion":"v1","kind":"A","name":"a","uid":"u","controller":"yes"}]}}',
      '{"metadata":{"name":"a","ownerReferences":[null]}}',
      '{"metadata":{"name":"a","managedFields":[{"time":"x"}]}}',
      '{"metadata":{"name":"a","nope":1,"labels":{"a":"b"}},"nope":2}',
    ],
  },
  bytes: {
    kind: 'Secret',
    shows: 'data',
    bodies: [
      configMap('"data":{"a":"YQ=="}'),
      configMap('"data":{"a":"Y\\nQ=\\r\\n="}'),
      configMap('"data":{"a":"YR=="}'),
      configMap('"data":{"a":"YQ"}'),
      configMap('"data":{"a":"YQ="}'),
      configMap('"data":{"a":"YQ==YQ=="}'),
      configMap('"data":{"a":"%"}'),
      configMap('"data":{"a":"a-_b"}'),
      configMap('"data":{"a":"é==="}'),
      configMap('"data":{"a":null}'),
      configMap('"data":{"a":""}'),
      configMap('"data":{"a":[97,98]}'),
      configMap('"data":{"a":[256]}'),
      configMap('"data":{"a":1}'),
    ],
  },
  'fields of pods': {
    kind: 'Pod',
    shows: 'spec.containers',
    bodies: [
      pod('"containers":{}'),
      pod('"containers":[1]'),
      pod('"containers":["a"]'),
      pod('"containers":[{"name":1}]'),
      pod('"containers":null'),
      '{"metadata":{"name":"a"},"spec":[]}',
      container(',"image":"j"'),
      container(',"foo":1,"ports":[{"containerPort":80,"bar":{"x":1}}],"image":"j"'),
      container(',"ports":[{"containerPort":"80"}]'),
      container(',"ports":[{"containerPort":80.5}]'),
      container(',"ports":[{"containerPort":99999999999}]'),
      container(',"ports":[{"containerPort":1e2}]'),
      container(',"ports":[{"containerPort":80,"protocol":6}]'),
      container(',"ports":[{"containerPort":80,"protocol":"","hostPort":0,"name":""}]'),
      container(',"args":[null,"a"],"command":[]'),
      container(',"args":"a"'),
      container(',"stdin":false,"tty":null,"workingDir":""'),
      container(',"securityContext":{"runAsUser":0,"privileged":false,"procMount":null}'),
      container(',"securityContext":{}'),
      container(',"env":[{"name":"A","value":1}]'),
      container(',"env":[{"name":"A","value":""},{"name":"B","valueFrom":{}}]'),
      container(',"livenessProbe":{"httpGet":{"port":true}}'),
      container(',"livenessProbe":{"httpGet":{"port":1.5}}'),
      container(',"livenessProbe":{"httpGet":{"port":99999999999}}'),
      container(',"livenessProbe":{"exec":{"command":"a"}}'),
      pod('"restartPolicy":1,"containers":[{"name":2}]'),
      pod('"volumes":[{"name":"v","emptyDir":1}]'),
      pod('"volumes":[{"name":"v","secret":{"defaultMode":"0644"}}]'),
      pod('"hostNetwork":"true"'),
      pod('"nodeSelector":{"a":true}'),
      pod('"terminationGracePeriodSeconds":"30"'),
      pod('"tolerations":[{"tolerationSeconds":9223372036854775808}]'),
    ],
  },
  quantities: {
    kind: 'ResourceQuota',
    shows: 'spec.hard',
    bodies: [
      ...[
        '0.5',
        '1024Mi',
        '1e3',
        '1E3',
        '0.0000000001',
        '1500m',
        '1000m',
        '1.5Gi',
        '100000k',
        '0',
        '00',
        '0Gi',
        '.5',
        '5.',
        '1.0',
        '1000',
        '1024',
        '0.1Ki',
        '1n',
        '1e-3',
        '12e6',
        '9223372036854775807',
        '9223372036854775808',
        '100Ei',
        '1E',
        '1.1',
        '010',
        '+1',
        ' 1 ',
      ].map((text) => configMap(`"spec":{"hard":{"x.dev/a":"${text}"}}`)),
      ...['', 'a', '1.2.3', '1x', '1 Gi', 'Gi', '1e', '1ee3', '--1', '1Gii', '1mi', '.', '1k5'].map((text) =>
        configMap(`"spec":{"hard":{"x.dev/a":"${text}"}}`),
      ),
      ...['1', '0.5', '1e3', '1.50', 'null', 'true', '[]', '{}', '9223372036854775807'].map((text) =>
        configMap(`"spec":{"hard":{"x.dev/a":${text}}}`),
      ),
    ],
  },
  times: {
    kind: 'Lease',
    shows: 'spec',
    bodies: [
      ...[
        '2024-01-02T03:04:05.123456Z',
        '2024-01-02T03:04:05Z',
        '2024-01-02T03:04:05.1234567Z',
        '2024-01-02T03:04:05.123Z',
        '2024-01-02T03:04:05.123456+02:30',
        '2024-01-02T03:04:05,123456Z',
        '0001-01-01T00:00:00.000000Z',
        '',
      ].map((text) => configMap(`"spec":{"renewTime":"${text}"}`)),
      configMap('"spec":{"renewTime":null}'),
      configMap('"spec":{"renewTime":1}'),
      configMap('"spec":{"leaseDurationSeconds":0,"holderIdentity":""}'),
      configMap('"spec":{"leaseDurationSeconds":15.0}'),
    ],
  },
  'lists that are always there': {
    kind: 'Role',
    shows: 'rules',
    bodies: [
      role(''),
      role(',"rules":null'),
      role(',"rules":[]'),
      role(',"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":[]}]'),
      role(',"rules":{}'),
    ],
  },
  'any JSON': {
    kind: 'ControllerRevision',
    shows: 'data',
    bodies: [
      configMap('"revision":1,"data":{"a":[1,null,{"b":1.5}],"__proto__":{"x":1},"a2":"","e":{},"l":[]}'),
      configMap('"revision":"1","data":{}'),
      configMap('"revision":1,"data":{"a":1,"a":2}'),
    ],
  },
  schemas: {
    kind: 'CustomResourceDefinition',
    shows: 'spec.versions',
    bodies: [
      crd('{"type":"object","nope":1,"properties":{"a":{"type":"string","nope":2}}}'),
      crd(
        '{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","nope":2,"default":""}}}}',
      ),
      crd('{"type":1}'),
      crd('{"type":"object","properties":{"a":{"type":"array","items":{"type":1}}}}'),
      crd('{"type":"object","properties":{"a":{"type":"object","additionalProperties":5}}}'),
      crd(
        '{"type":"object","properties":{"a":{"type":"integer","minimum":1.0,"maximum":1e3,"nullable":false,"enum":[],"description":""}}}',
      ),
      crd('{"type":"object","properties":{"a":{"type":"integer","minimum":"1"}}}'),
    ],
  },
};

/** Bodies that are not JSON, or not what they seem to be. */
const texts = [
  '{"metadata":{"name":"a"},}',
  '{"metadata":{"name":"a"} "data":{}}',
  "{'metadata':{}}",
  '{"metadata":{"name":"a"},"data":{"a":"b\n"}}',
  '{"metadata":{"name":"a"},"data":{"a":"\\x"}}',
  '{"metadata":{"name":"a"},"data":{"a":01}}',
  '{"metadata":{"name":"a"},"data":{"a":1.}}',
  '{"metadata":{"name":"a"},"data":{"a":tru}}',
  '{"metadata":{"name":"a"},"data":{"a":"\\u12g4"}}',
  '{"metadata":{"name":"a"},"data":{"a":"é"}}é',
  '{"metadata":{"name":"a"}',
  '{"metadata":{"name":"a"}}{}',
  '',
  'null',
  '"a"',
  '[1]',
  '\uFEFF{"metadata":{"name":"a"}}',
];

const yamls: Readonly<Record<string, string>> = {
  'keys twice': 'metadata:\n  name: a\ndata:\n  a: "1"\ndata:\n  b: "2"\n  b: "3"\n',
  'unknown fields': 'metadata:\n  name: a\n  x: 1\nfoo: 1\ndata:\n  a: "1"\n  a: "2"\n',
  'a boolean': 'metadata:\n  name: a\ndata:\n  a: yes\n',
  'a number': 'metadata:\n  name: a\ndata:\n  a: 0x10\n',
  'a date': 'metadata:\n  name: a\ndata:\n  a: 2001-01-01\n  b: 1:30\n  c: 2001-01-01T00:00:00Z\n',
  'no value': 'metadata:\n  name: a\ndata:\n  a:\n  b: ~\n',
  'keys that are no texts': 'metadata:\n  name: a\ndata:\n  1: "a"\n  true: "b"\n  1.5: "c"\n',
  'two documents': 'metadata:\n  name: a\ndata:\n  a: "1"\n---\nmetadata:\n  name: b\n',
  'an empty document first': '---\nmetadata:\n  name: a\ndata:\n  a: "---"\n',
  'an alias': 'metadata:\n  name: a\ndata: &d\n  a: "1"\nbinaryData: *d\n',
  'a merge': 'metadata:\n  name: a\n  labels: &l\n    a: b\n  annotations:\n    <<: *l\n    c: d\n',
  'a block': 'metadata:\n  name: a\ndata:\n  a: |\n    one\n    two\n  b: >-\n    one\n    two\n',
  JSON: '{"metadata":{"name":"a"},"data":{"a":"1","a":"2"}}',
  nothing: '',
  'a list': '- a\n',
  'a text': 'hello\n',
};

const yamlNumbers = [
  '010',
  '0o17',
  '0b11',
  '1_000',
  '+5',
  '-0x10',
  '08',
  '1e3',
  '.5',
  '1.',
  'on',
  'Off',
  'y',
  'NO',
  'Null',
  '1.5e-3',
  '0x',
  '_1',
  '1__0',
  '!!str 5',
  '!!int "5"',
  '"5"',
];

const yamlAliases = [
  '{a: &x "1", b: *x, c: &x "2", d: *x}',
  '{a: &x [1, {b: &y c}], d: [*x, *y]}',
  '{a: *x, b: &x 1}',
  '&x {a: *x}',
  '{a: &x [*x]}',
  '{a: &x {b: [{c: *x}]}}',
  '{? &x [*x] : 1}',
  '{a: &x {b: 1, c: &x 2, d: *x}, e: *x}',
  '{&k a: 1, b: *k}',
  '{a: &x , b: *x}',
  '{a: &x ~, b: *x}',
  '{<<: {a: 1, b: 2}, a: 3}',
  '{a: 3, <<: {a: 1, b: 2}}',
  '{<<: [{a: 1, b: 2}, {a: 3, c: 4}]}',
  '{<<: {a: 1}, <<: {a: 2, b: 3}}',
  '{a: &x {b: 1}, c: {<<: *x, d: 2}}',
  '{a: &x {b: 1}, c: &y {b: 2, d: 3}, e: {<<: [*x, *y], d: 4}}',
  '{a: &x {b: 1}, c: &y {<<: *x, d: 2}, e: {<<: *y}}',
  '{a: &x [{b: 1}], c: {<<: *x}}',
  '{<<: 1}',
  '{<<: [1]}',
  '{<<: }',
  '{<<: []}',
  '{<<: [[{a: 1}]]}',
  '{a: &x 1, c: {<<: *x}}',
  '{a: &x 1, c: {<<: [*x]}}',
  '&x {a: 1, <<: *x}',
  '{"<<": {a: 1}}',
  '{!!merge <<: {a: 1}}',
  '{!!str <<: {a: 1}}',
  '{<<: {? [a] : b}}',
  '{<<: {a: 1, a: 2}}',
  '{a: 1, a: &x 2, b: *x}',
  '[<<, {<<: {a: 1}}]',
];

function valueAt(body: any, path: string): unknown {
  return sorted(path.split('.').reduce((value, field) => value?.[field], body));
}

/** The value with its keys sorted. */
function sorted(value: any): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
}

onEachServer('decoding', (server) => {
  async function outcome(
    kind: string,
    raw: string,
    shows: string,
    query: string,
    contentType?: string,
  ): Promise<unknown> {
    const path = `${collections[kind]}?dryRun=All&${query}`;
    const answer = await server.session.send('POST', path, { raw, ...(contentType && { contentType }) });
    const { code, body, warnings } = answer;
    const rest = warnings.length > 0 ? { warnings } : {};
    if (code >= 400) return { ...(refusal(answer) as object), ...rest };
    return { code, [shows]: valueAt(body, shows) ?? 'none', ...rest };
  }

  test.each(Object.entries(bodies))('%s', async (name, { kind, shows, bodies: raws }) => {
    const found: unknown[] = [];
    for (const raw of raws) {
      const ignoring = await outcome(kind, raw, shows, 'fieldValidation=Ignore');
      const warned = await outcome(kind, raw, shows, '');
      const strict = await outcome(kind, raw, shows, 'fieldValidation=Strict');
      found.push({
        body: raw,
        ignoring,
        ...(JSON.stringify(warned) !== JSON.stringify(ignoring) && { warned }),
        ...(JSON.stringify(strict) !== JSON.stringify(ignoring) && { strict }),
      });
    }
    await expect(asRecorded(found)).toMatchFileSnapshot(
      `../recorded/decoding/${name.replaceAll(' ', '-')}.yaml`,
    );
  });

  test('bodies that are not JSON', async () => {
    const found: unknown[] = [];
    for (const raw of texts) found.push({ body: raw, answer: await outcome('ConfigMap', raw, 'data', '') });
    const invalid = Buffer.from('{"metadata":{"name":"a"},"data":{"a":"x\xff\xfe\xed\xa0\x80y"}}', 'latin1');
    const { body } = await server.session.send('POST', `${collections['ConfigMap']}?dryRun=All`, {
      raw: invalid,
    });
    found.push({ body: 'invalid UTF-8', answer: body.data ?? body });
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/decoding/texts.yaml');
  });

  test('bodies that are not YAML', async () => {
    for (const raw of ['metadata:\n\tname: a\n', 'metadata: [a\n', 'a: b: c\n', '"a\n', '*a']) {
      const { code, body } = await server.session.send('POST', `${collections['ConfigMap']}?dryRun=All`, {
        raw,
        contentType: 'application/yaml',
      });
      expect(code).toBe(400);
      expect(body.message).toMatch(
        /^the object provided is unrecognized \(must be of type ConfigMap\): yaml: .* \([0-9a-f]+( \.\.\.)?\)$/s,
      );
    }
  });

  test('YAML keys that JSON does not have', async () => {
    const found: Record<string, unknown> = {};
    for (const data of [
      '{? [a] : b}',
      '{[a]: b}',
      '{? {a: b} : c}',
      '{? [1, x, {x: z}] : c}',
      '{? {b: 1, a: [true, null, 1.5]} : c}',
      '{? {} : b}',
      '{a: &l [a], ? *l : b}',
      '{a: &l x, ? *l : b}',
      '{? *missing : b}',
      '{? : b}',
      '{~: b}',
      '{null: {a: [b]}}',
      '{2001-01-01: b}',
      '{1.5: b, .inf: c, true: d, 1e3: e}',
      '{1e-5: a, 1e-7: b, 0.1: c, 0x10: e, 9223372036854775807: f, 3.14159265358: g, 1e300: h}',
      '{? !!binary aGk= : b}',
    ]) {
      const raw = `metadata: {name: a}\ndata: ${data}\n`;
      found[data] = await outcome('ConfigMap', raw, 'data', '', 'application/yaml');
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/decoding/yaml-keys.yaml');
  });

  test('YAML aliases and merges', async () => {
    const found: Record<string, unknown> = {};
    for (const data of yamlAliases) {
      const raw = `metadata: {name: a}\ndata: ${data}\n`;
      found[data] = await outcome(
        'ControllerRevision',
        `${raw}revision: 1\n`,
        'data',
        '',
        'application/yaml',
      );
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/decoding/yaml-aliases.yaml');
  });

  test('YAML', async () => {
    const found: Record<string, unknown> = {};
    for (const [name, raw] of Object.entries(yamls)) {
      found[name] = {
        warned: await outcome('ConfigMap', raw, 'data', '', 'application/yaml'),
        strict: await outcome('ConfigMap', raw, 'data', 'fieldValidation=Strict', 'application/yaml'),
      };
    }
    for (const text of yamlNumbers) {
      const raw = `metadata: {name: a}\ndata: {x: ${text}}\nrevision: 1\n`;
      found[text] = await outcome('ControllerRevision', raw, 'data', '', 'application/yaml');
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/decoding/yaml.yaml');
  });
});
