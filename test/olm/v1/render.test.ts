import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/olm/bundle/json.ts';
import { textOf, valueOf } from '../../../src/olm/bundle/json.ts';
import { type RenderOptions, renderForOlmV1 } from '../../../src/olm/v1/render-for-olm-v1.ts';
import { type Change, annotationsFile, bundleFrom, crdFile, csvFile, sampleFiles } from '../sample-bundle.ts';

const defaults: RenderOptions = {
  namespace: 'kitchen',
  certificates: 'cert-manager',
  singleOwnNamespace: false,
  deploymentConfig: false,
};

type Texts = Readonly<Record<string, string>>;

function render(texts: Texts, options: Partial<RenderOptions> = {}) {
  return renderForOlmV1(bundleFrom(texts).files, { ...defaults, ...options });
}

/** The objects of a bundle that OLM v1 accepts, by kind and name. */
function objectsOf(texts: Texts, options: Partial<RenderOptions> = {}): Map<string, JsonObject> {
  const rendering = render(texts, options);
  if ('refusals' in rendering) throw new Error(rendering.refusals.map(({ detail }) => detail).join('\n'));
  return new Map(
    rendering.objects.map((object) => [
      `${textOf(object, 'kind')} ${textOf(object['metadata'], 'name')}`,
      // As it is written.
      JSON.parse(JSON.stringify(object)) as JsonObject,
    ]),
  );
}

/** Why OLM v1 refuses a bundle: rule, subject, file and detail, of which the end may be cut. */
function refusedFor(texts: Texts, options: Partial<RenderOptions> = {}): string[] {
  const rendering = render(texts, options);
  if ('objects' in rendering) return [];
  return rendering.refusals.map(({ rule, subject, detail, file }) =>
    [rule, ...(subject === '' ? [] : [subject]), ...(file === undefined ? [] : [file]), detail].join(' | '),
  );
}

/** The sample with changes in its ClusterServiceVersion. */
function csv(...changes: readonly Change[]): Texts {
  return changed(csvFile, ...changes);
}

function changed(file: string, ...changes: readonly Change[]): Texts {
  return changes.reduce((texts, [from, to]) => {
    const text = texts[file]!.replace(from, to);
    if (text === texts[file]) throw new Error(`${file} has no ${String(from)}`);
    return { ...texts, [file]: text };
  }, sampleFiles);
}

const webhook = (further: string, type = 'ValidatingAdmissionWebhook'): Change => [
  '  install:\n',
  `  webhookdefinitions:
    - {type: ${type}, generateName: v.tea.example.com, deploymentName: tea, ${further}}
  install:\n`,
];
const validating = webhook(
  `containerPort: 443, targetPort: 9443, webhookPath: /validate, sideEffects: None, admissionReviewVersions: [v1],
       rules: [{apiGroups: [tea.example.com], apiVersions: [v1], operations: [CREATE], resources: [pots]}]`,
);
const onlyOwn: Change = [
  /- \{type: AllNamespaces[^]*supported: false\}/,
  '- {type: OwnNamespace, supported: true}',
];
const onlySingle: Change = [
  /- \{type: AllNamespaces[^]*OwnNamespace/,
  '- {supported: true, type: SingleNamespace}\n    - {type: X',
];
const permissions: Change = [
  '      clusterPermissions:',
  `      permissions:
        - serviceAccountName: tea
          rules: [{apiGroups: [''], resources: [secrets], verbs: [get]}]
      clusterPermissions:`,
];

test('a bundle becomes what OLM v1 applies', () => {
  const objects = objectsOf(sampleFiles);
  expect([...objects.keys()].map((key) => key.replace(/tea\.v.*/, '<role>'))).toEqual([
    'ServiceAccount tea',
    'ClusterRole <role>',
    'ClusterRoleBinding <role>',
    'CustomResourceDefinition pots.tea.example.com',
    'Deployment tea',
  ]);
  expect(objects.get('Deployment tea')).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'tea', namespace: 'kitchen' },
    spec: {
      revisionHistoryLimit: 1,
      selector: { matchLabels: { app: 'tea' } },
      strategy: {},
      template: {
        metadata: {
          labels: { app: 'tea' },
          annotations: {
            capabilities: 'Basic Install',
            categories: 'Developer Tools',
            'alm-examples': expect.any(String),
            'olm.operatorNamespace': 'kitchen',
            'olm.targetNamespaces': '',
          },
        },
        spec: {
          serviceAccountName: 'tea',
          containers: [
            {
              name: 'manager',
              image: 'registry.example.com/tea/operator:v1.2.3',
              resources: { requests: { cpu: '10m', memory: '64Mi' } },
            },
          ],
        },
      },
    },
    status: {},
  });
});

describe('rights', () => {
  const role = (texts: Texts, options: Partial<RenderOptions> = {}) =>
    [...objectsOf(texts, options)]
      .filter(([key]) => /^(Cluster)?Role /.test(key))
      .map(([, object]) => object);

  test('the name of a role is a label, and changes with the rights alone', () => {
    const [first] = role(sampleFiles);
    const name = textOf(first!['metadata'], 'name');
    expect(name).toMatch(/^tea\.v1\.2\.3-tea-[0-9a-z]{40,}$/);
    expect(name.length).toBeLessThanOrEqual(64);
    const nameWith = (change: Change) => textOf(role(csv(change))[0]!['metadata'], 'name');
    expect(nameWith(['Tea House', 'Tea Hut'])).toBe(name);
    expect(nameWith(["verbs: ['*']", 'verbs: [get]'])).not.toBe(name);
  });

  test('in all namespaces, rights in a namespace are for the cluster, with namespaces', () => {
    const [, second] = role(csv(permissions));
    expect(second).toMatchObject({ kind: 'ClusterRole', metadata: { name: expect.stringContaining('tea') } });
    expect(second!['rules']).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
    ]);
  });

  test('in one namespace, they are a role there', () => {
    const [first, second] = role(csv(permissions, onlySingle), {
      singleOwnNamespace: true,
      configuration: { watchNamespace: 'garden' },
    });
    expect(first).toMatchObject({ kind: 'Role', metadata: { namespace: 'garden' } });
    expect(first!['rules']).toEqual([{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]);
    expect(second).toMatchObject({ kind: 'ClusterRole' });
  });

  test('rights without a service account are those of the default one, which exists', () => {
    const objects = objectsOf(csv([/serviceAccountName: tea\n {10}rules/, 'rules']));
    expect([...objects.keys()].filter((key) => key.startsWith('ServiceAccount'))).toEqual([]);
    expect(JSON.stringify([...objects.values()])).toContain(
      '"subjects":[{"kind":"ServiceAccount","name":"default"',
    );
  });
});

describe('webhooks', () => {
  test('with cert-manager', () => {
    const objects = objectsOf(csv(validating));
    expect(objects.get('ValidatingWebhookConfiguration v.tea.example.com')).toEqual({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: {
        name: 'v.tea.example.com',
        namespace: 'kitchen',
        annotations: { 'cert-manager.io/inject-ca-from': 'kitchen/tea-service-cert' },
      },
      webhooks: [
        {
          name: 'v.tea.example.com',
          clientConfig: {
            service: { name: 'tea-service', namespace: 'kitchen', path: '/validate', port: 443 },
          },
          rules: [
            {
              apiGroups: ['tea.example.com'],
              apiVersions: ['v1'],
              operations: ['CREATE'],
              resources: ['pots'],
            },
          ],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    expect(objects.get('Service tea-service')!['spec']).toEqual({
      ports: [{ name: '443', port: 443, targetPort: 9443 }],
      selector: { app: 'tea' },
    });
    expect(objects.get('Certificate tea-service-cert')).toMatchObject({
      spec: { secretName: 'tea-service-cert', dnsNames: expect.arrayContaining(['tea-service.kitchen.svc']) },
    });
    expect(objects.has('Issuer tea-service-cert-selfsigned-issuer')).toBe(true);
  });

  test('with the certificates of OpenShift', () => {
    const objects = objectsOf(csv(validating), { certificates: 'service-ca' });
    expect(objects.get('Service tea-service')!['metadata']).toMatchObject({
      annotations: { 'service.beta.openshift.io/serving-cert-secret-name': 'tea-service-cert' },
    });
    expect([...objects.keys()].filter((key) => /^(Issuer|Certificate) /.test(key))).toEqual([]);
  });

  test('the certificate replaces what the author mounts in its place', () => {
    const mounted = csv(
      validating,
      [
        '                    resources:',
        `                    volumeMounts:
                      - {name: own, mountPath: /tmp/k8s-webhook-server/serving-certs}
                      - {name: data, mountPath: /data}
                    resources:`,
      ],
      [
        '                containers:',
        '                volumes: [{name: own, emptyDir: {}}, {name: data, emptyDir: {}}]\n                containers:',
      ],
    );
    const deployment = objectsOf(mounted).get('Deployment tea')!;
    const pod = valueOf(valueOf(valueOf(deployment, 'spec'), 'template'), 'spec');
    expect(pod).toMatchObject({
      volumes: [{ name: 'data' }, { name: 'webhook-cert' }, { name: 'apiservice-cert' }],
      containers: [
        { volumeMounts: [{ name: 'data' }, { name: 'webhook-cert' }, { name: 'apiservice-cert' }] },
      ],
    });
  });

  test('a conversion webhook is in the definition', () => {
    const texts = csv(
      webhook('conversionCRDs: [pots.tea.example.com], admissionReviewVersions: [v1]', 'ConversionWebhook'),
    );
    expect(objectsOf(texts).get('CustomResourceDefinition pots.tea.example.com')).toMatchObject({
      metadata: { annotations: { 'cert-manager.io/inject-ca-from': 'kitchen/tea-service-cert' } },
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: {
            clientConfig: { service: { name: 'tea-service', namespace: 'kitchen', path: '/', port: 0 } },
            conversionReviewVersions: ['v1'],
          },
        },
      },
    });
  });

  test('an operator of one namespace sees the objects of that one', () => {
    const objects = objectsOf(csv(validating, onlyOwn), {
      singleOwnNamespace: true,
      configuration: { watchNamespace: 'kitchen' },
    });
    expect(objects.get('ValidatingWebhookConfiguration v.tea.example.com')).toMatchObject({
      webhooks: [
        {
          namespaceSelector: {
            matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['kitchen'] }],
          },
        },
      ],
    });
  });
});

test('other objects stay as they are, in the namespace of the operator', () => {
  const objects = objectsOf({
    ...sampleFiles,
    'manifests/more.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: tea-leaves, creationTimestamp: null}
unknown: {kept: true}
---
apiVersion: v1
kind: List
items:
  - {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: hot}, value: 10}
`,
  });
  expect(objects.get('ConfigMap tea-leaves')).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'tea-leaves', creationTimestamp: null, namespace: 'kitchen' },
    unknown: { kept: true },
  });
  expect(objects.get('PriorityClass hot')!['metadata']).toEqual({ name: 'hot' });
});

test('items of a typed list need no kind, and objects without a namespace in their metadata stay so', () => {
  const objects = objectsOf({
    ...sampleFiles,
    'manifests/more.yaml': `apiVersion: v1
kind: ConfigMapList
items: [{metadata: {name: leaves}}]
---
kind: Secret
metadata: null
`,
  });
  expect(objects.get('ConfigMap leaves')).toMatchObject({
    apiVersion: 'v1',
    metadata: { namespace: 'kitchen' },
  });
  expect(objects.get('Secret ')).toEqual({ kind: 'Secret', metadata: null });
});

test('empty lists and quantities are written as Go writes them', () => {
  const objects = objectsOf(
    csv(
      [/rules:\n {12}- .*/, 'rules: []'],
      [
        '                    resources:',
        `                    env: [{name: A, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]
                    resources:`,
      ],
    ),
  );
  const text = JSON.stringify([...objects.values()]);
  expect(text).toContain('"rules":[]');
  expect(text).toContain('{"resourceFieldRef":{"resource":"limits.cpu","divisor":"0"}}');
});

test('properties of the bundle reach the pods', () => {
  const texts = {
    ...csv([
      '    capabilities',
      `    olm.properties: '[{"type": "own", "value": {"b": 1, "a": "<"}}]'\n    capabilities`,
    ]),
    'metadata/properties.yaml': 'properties: [{type: further, value: {b: 2, a: 1}}]',
  };
  const deployment = objectsOf(texts).get('Deployment tea')!;
  const template = valueOf(valueOf(deployment, 'spec'), 'template');
  expect(valueOf(valueOf(valueOf(template, 'metadata'), 'annotations'), 'olm.properties')).toBe(
    String.raw`[{"type":"own","value":{"b":1,"a":"\u003c"}},{"type":"further","value":{"a":1,"b":2}}]`,
  );
});

describe('the configuration of a ClusterExtension', () => {
  const configured = (deploymentConfig: object, texts: Texts = sampleFiles) => {
    const objects = objectsOf(texts, { deploymentConfig: true, configuration: { deploymentConfig } });
    return objects.get('Deployment tea')!;
  };
  const podOf = (deployment: JsonObject) => valueOf(valueOf(valueOf(deployment, 'spec'), 'template'), 'spec');
  const withPod = (pod: string): Texts =>
    csv(['                containers:', `                ${pod}\n                containers:`]);

  test('replaces and adds', () => {
    const given = {
      env: [
        { name: 'A', value: 'new' },
        { name: 'B', value: 'b' },
      ],
      resources: { limits: { memory: '1Gi' } },
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'k', operator: 'Exists' }],
      volumes: [{ name: 'v', emptyDir: {} }],
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
      envFrom: [{ configMapRef: { name: 'c' } }],
    };
    const texts = csv(
      [
        '                    resources:',
        '                    env: [{name: A, value: old}]\n                    resources:',
      ],
      [
        '                containers:',
        '                nodeSelector: {a: b}\n                tolerations: [{operator: Exists, key: k}]\n                containers:',
      ],
    );
    expect(podOf(configured(given, texts))).toEqual({
      serviceAccountName: 'tea',
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'k', operator: 'Exists' }],
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [
        {
          name: 'manager',
          image: 'registry.example.com/tea/operator:v1.2.3',
          env: given.env,
          envFrom: given.envFrom,
          resources: given.resources,
          volumeMounts: given.volumeMounts,
        },
      ],
    });
  });

  test('annotations of the author win', () => {
    const deployment = configured({ annotations: { capabilities: 'Auto Pilot', a: 'b' } });
    expect(deployment['metadata']).toMatchObject({ annotations: { capabilities: 'Auto Pilot', a: 'b' } });
    expect(valueOf(valueOf(deployment, 'spec'), 'template')).toMatchObject({
      metadata: { annotations: { capabilities: 'Basic Install', a: 'b' } },
    });
  });

  test.each<[title: string, given: object, expected: object | undefined]>([
    ['nothing leaves affinity', {}, { podAffinity: {}, nodeAffinity: {} }],
    ['an empty one removes it', { affinity: {} }, undefined],
    ['an empty part removes that part', { affinity: { podAffinity: {} } }, { nodeAffinity: {} }],
    ['two empty parts remove it', { affinity: { podAffinity: {}, nodeAffinity: {} } }, undefined],
  ])('%s', (_, given, expected) => {
    const term = 'preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {}}]';
    const podTerm =
      'preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: z}}]';
    const texts = withPod(`affinity: {nodeAffinity: {${term}}, podAffinity: {${podTerm}}}`);
    const affinity = valueOf(podOf(configured(given, texts)), 'affinity');
    expect(Object.keys(affinity ?? {}).toSorted()).toEqual(Object.keys(expected ?? {}).toSorted());
  });

  test.each<[title: string, texts: Texts, options: Partial<RenderOptions>, refusal: string]>([
    ['not an object', sampleFiles, { configuration: 'all' }, 'the configuration is not an object'],
    ['an unknown field', sampleFiles, { configuration: { color: 'red' } }, '"color" is not a field'],
    [
      'a namespace for an operator of all namespaces',
      sampleFiles,
      { configuration: { watchNamespace: 'kitchen' } },
      '"watchNamespace" is not a field',
    ],
    [
      'changes of Deployments that OLM has disabled',
      sampleFiles,
      { configuration: { deploymentConfig: {} } },
      '"deploymentConfig" is not a field',
    ],
    ['no namespace', csv(onlySingle), { singleOwnNamespace: true }, 'watchNamespace is missing'],
    [
      'another namespace for OwnNamespace',
      csv(onlyOwn),
      { singleOwnNamespace: true, configuration: { watchNamespace: 'garden' } },
      'watchNamespace must be "kitchen"',
    ],
    [
      'the own one for SingleNamespace',
      csv(onlySingle),
      { singleOwnNamespace: true, configuration: { watchNamespace: 'kitchen' } },
      'watchNamespace must not be "kitchen"',
    ],
    [
      'not a namespace',
      csv(onlySingle),
      { singleOwnNamespace: true, configuration: { watchNamespace: 'A' } },
      'watchNamespace is "A", not the name of a namespace',
    ],
    [
      'a wrong type',
      sampleFiles,
      { deploymentConfig: true, configuration: { deploymentConfig: { nodeSelector: { a: 1 } } } },
      'deploymentConfig.nodeSelector.a is 1, not a text',
    ],
    [
      'an unknown change',
      sampleFiles,
      { deploymentConfig: true, configuration: { deploymentConfig: { selector: {} } } },
      'deploymentConfig.selector is not a field',
    ],
    [
      'null',
      sampleFiles,
      { deploymentConfig: true, configuration: { deploymentConfig: { nodeSelector: null } } },
      'deploymentConfig.nodeSelector is null',
    ],
    [
      'a volume without what it needs',
      sampleFiles,
      {
        deploymentConfig: true,
        configuration: { deploymentConfig: { volumes: [{ name: 'v', hostPath: {} }] } },
      },
      'deploymentConfig.volumes[0].hostPath.path is missing',
    ],
    [
      'a preference without its term',
      sampleFiles,
      {
        deploymentConfig: true,
        configuration: {
          deploymentConfig: {
            affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] } },
          },
        },
      },
      'deploymentConfig.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm is missing',
    ],
    [
      'a variable without a name',
      sampleFiles,
      { deploymentConfig: true, configuration: { deploymentConfig: { env: [{ value: 'x' }] } } },
      'deploymentConfig.env[0].name is missing',
    ],
  ])('%s is refused', (_, texts, options, refusal) => {
    expect(refusedFor(texts, options)).toEqual([expect.stringContaining(`configuration | ${refusal}`)]);
  });
});

const secondDeployment: Change = [
  '      deployments:\n',
  '      deployments:\n        - {name: tea, spec: {}}\n',
];

describe('what OLM v1 refuses', () => {
  test.each<[title: string, texts: Texts, ...expected: string[]]>([
    [
      'API services',
      csv([
        '  install:\n',
        '  apiservicedefinitions: {owned: [{name: v1.x, group: x, version: v1, kind: X}]}\n  install:\n',
      ]),
      `api-service | v1.x | ${csvFile} | spec.apiservicedefinitions.owned`,
    ],
    ['an operator of its own namespace', csv(onlyOwn), `all-namespaces | ${csvFile} | spec.installModes`],
    [
      'Deployments of the same name',
      csv(secondDeployment),
      `duplicate-deployment | tea | ${csvFile} | spec.install.spec.deployments[1].name is "tea"`,
    ],
    [
      'a Deployment with a wrong name',
      csv(['- name: tea', '- name: Tea!']),
      `deployment-name | Tea! | ${csvFile} | spec.install.spec.deployments[0].name is "Tea!"`,
    ],
    [
      'the same definition twice',
      { ...sampleFiles, 'manifests/z.yaml': sampleFiles[crdFile]! },
      'duplicate-crd | pots.tea.example.com | manifests/z.yaml | the bundle has',
    ],
    [
      'an owned definition that is missing',
      csv(['name: pots.tea', 'name: cups.tea']),
      `missing-crd | cups.tea.example.com | ${csvFile} | spec.customresourcedefinitions.owned[0].name`,
    ],
    [
      'no package',
      changed(annotationsFile, [/.*package.*\n/, '']),
      `package | ${annotationsFile} | it does not name the package`,
    ],
    [
      'a conversion webhook of an operator with other install modes',
      csv(
        ['OwnNamespace, supported: false', 'OwnNamespace, supported: true'],
        webhook('conversionCRDs: [pots.tea.example.com]', 'ConversionWebhook'),
      ),
      `conversion-install-mode | v.tea.example.com | ${csvFile} | spec.webhookdefinitions[0]`,
    ],
    [
      'a webhook of an unknown Deployment',
      csv(validating, ['deploymentName: tea', 'deploymentName: coffee']),
      `webhook-deployment | v.tea.example.com | ${csvFile} | spec.webhookdefinitions[0].deploymentName is "coffee"`,
    ],
    [
      'webhooks of the same type and name',
      csv(validating, [
        '  webhookdefinitions:\n',
        '  webhookdefinitions:\n    - {type: ValidatingAdmissionWebhook, generateName: v.tea.example.com, deploymentName: tea}\n',
      ]),
      `duplicate-webhook | v.tea.example.com | ${csvFile} | spec.webhookdefinitions[1].generateName`,
    ],
    [
      'a webhook with a wrong name',
      csv(validating, ['generateName: v.', 'generateName: V.']),
      `webhook-name | V.tea.example.com | ${csvFile} | spec.webhookdefinitions[0].generateName`,
    ],
    [
      'two conversion webhooks for a definition',
      csv(webhook('conversionCRDs: [pots.tea.example.com, pots.tea.example.com]', 'ConversionWebhook')),
      `duplicate-conversion | pots.tea.example.com | ${csvFile} | spec.webhookdefinitions[0].conversionCRDs[1]`,
    ],
    [
      'a conversion webhook for a definition of others',
      csv(webhook('conversionCRDs: [cups.tea.example.com]', 'ConversionWebhook')),
      `conversion-crd | cups.tea.example.com | ${csvFile} | spec.webhookdefinitions[0].conversionCRDs[0]`,
    ],
    [
      'a conversion webhook for objects with unknown fields',
      {
        ...csv(webhook('conversionCRDs: [pots.tea.example.com]', 'ConversionWebhook')),
        [crdFile]: sampleFiles[crdFile]!.replace('  scope:', '  preserveUnknownFields: true\n  scope:'),
      },
      `kept-fields | pots.tea.example.com | ${crdFile} | spec.preserveUnknownFields`,
    ],
    [
      'a webhook for every API',
      csv(validating, ['apiGroups: [tea.example.com], apiV', 'apiGroups: ["*"], apiV']),
      `webhook-rule | v.tea.example.com | ${csvFile} | spec.webhookdefinitions[0].rules[0] is about the API group "*"`,
    ],
    [
      'a webhook for OLM',
      csv(validating, ['apiGroups: [tea.example.com], apiV', 'apiGroups: [olm.operatorframework.io], apiV']),
      `webhook-rule | v.tea.example.com | ${csvFile} | spec`,
    ],
    [
      'a webhook for webhooks',
      csv(
        validating,
        ['apiGroups: [tea.example.com], apiV', 'apiGroups: [admissionregistration.k8s.io], apiV'],
        ['resources: [pots]}', 'resources: [ValidatingWebhookConfigurations]}'],
      ),
      `webhook-rule | v.tea.example.com | ${csvFile} | spec`,
    ],
    [
      'another kind',
      { ...sampleFiles, 'manifests/q.yaml': 'kind: ResourceQuota\nmetadata: {name: q}' },
      'object | ResourceQuota/q | manifests/q.yaml | a bundle cannot have a ResourceQuota',
    ],
  ])('%s', (_, texts, ...expected) => {
    expect(refusedFor(texts)).toEqual(expected.map((each) => expect.stringContaining(each)));
  });

  test('webhooks without certificates', () => {
    expect(refusedFor(csv(validating), { certificates: 'none' })).toEqual([
      expect.stringContaining(
        `webhook | v.tea.example.com | ${csvFile} | spec.webhookdefinitions is not empty`,
      ),
    ]);
  });

  test('an operator without an install mode of OLM v1', () => {
    expect(
      refusedFor(csv(onlySingle, ['type: SingleNamespace', 'type: MultiNamespace']), {
        singleOwnNamespace: true,
      }),
    ).toEqual([expect.stringContaining(`install-mode | ${csvFile} | spec.installModes`)]);
  });

  test.each<[title: string, texts: Texts, expected: string]>([
    ['no annotations', { [csvFile]: sampleFiles[csvFile]! }, 'metadata/annotations.yaml does not exist'],
    [
      'annotations that are a text',
      { ...sampleFiles, [annotationsFile]: 'annotations: none' },
      `${annotationsFile} | it has no map of annotations`,
    ],
    [
      'no ClusterServiceVersion',
      { [annotationsFile]: sampleFiles[annotationsFile]! },
      'manifests has no ClusterServiceVersion',
    ],
    [
      'a directory among the manifests',
      { ...sampleFiles, 'manifests/more/x.yaml': 'a: b' },
      'manifests/more | a directory among the manifests',
    ],
    [
      'a boolean for a text',
      csv(['displayName: Tea', 'displayName: yes']),
      `${csvFile} | spec.displayName is true, not a text`,
    ],
    [
      'a list for an object',
      changed(crdFile, [/ {2}names:.*/, '  names: []']),
      `${crdFile} | spec.names is a list, not an object`,
    ],
    [
      'truncated YAML',
      { ...sampleFiles, [csvFile]: sampleFiles[csvFile]!.slice(0, sampleFiles[csvFile]!.indexOf('Pot')) },
      `${csvFile} | line `,
    ],
    [
      'an object without a kind',
      { ...sampleFiles, 'manifests/x.yaml': 'a: b' },
      'manifests/x.yaml | an object has no kind',
    ],
    [
      'a text',
      { ...sampleFiles, 'manifests/README.md': 'Tea.' },
      'manifests/README.md | a document is not an object',
    ],
    [
      'an item of a list without an apiVersion',
      { ...sampleFiles, 'manifests/x.yaml': 'apiVersion: v1\nkind: List\nitems: [{kind: ConfigMap}]' },
      'manifests/x.yaml | an item of a list has no apiVersion',
    ],
    [
      'a list in a list',
      {
        ...sampleFiles,
        'manifests/x.yaml': 'apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: List, items: []}]',
      },
      'manifests/x.yaml | an item of a list is a list itself',
    ],
    [
      'a name that is a boolean',
      { ...sampleFiles, 'manifests/x.yaml': 'kind: ConfigMap\nmetadata: {name: y}' },
      'manifests/x.yaml | metadata.name is true, not a text',
    ],
    [
      'a malformed apiVersion',
      { ...sampleFiles, 'manifests/x.yaml': 'apiVersion: a/b/c\nkind: ConfigMap' },
      'manifests/x.yaml | the apiVersion of an object is malformed',
    ],
    [
      'channels that are a list',
      changed(annotationsFile, ['channels.v1: stable', 'channels.v1: [stable]']),
      `${annotationsFile} | operators.operatorframework.io.bundle.channels.v1 is not a text`,
    ],
    [
      'properties that are not a list',
      { ...sampleFiles, 'metadata/properties.yaml': 'properties: {}' },
      'metadata/properties.yaml | properties is an object, not a list',
    ],
  ])('%s', (_, texts, expected) => {
    expect(refusedFor(texts)).toEqual([expect.stringContaining(`unreadable | ${expected}`)]);
  });
});

test('names of fields match exactly, other than with OLM v0', () => {
  expect(refusedFor(csv(['  installModes:', '  installmodes:']))).toEqual([
    expect.stringContaining('all-namespaces'),
  ]);
});

test('any text and any values are rendered or refused', () => {
  const text = sampleFiles[csvFile]!;
  const values = ['null', '[]', '{}', '-1', '1e400', 'yes', '""', '{__proto__: [1]}', '[[[[]]]]'];
  const lines = text.split('\n');
  fc.assert(
    fc.property(
      fc.nat(lines.length - 1),
      fc.constantFrom(...values),
      fc.nat(text.length),
      (index, value, end) => {
        const changedLine = lines[index]!.replace(/:.*$/, `: ${value}`);
        for (const broken of [lines.with(index, changedLine).join('\n'), text.slice(0, end)]) {
          const rendering = render(
            { ...sampleFiles, [csvFile]: broken },
            { singleOwnNamespace: true, deploymentConfig: true },
          );
          expect('objects' in rendering || rendering.refusals.length > 0).toBe(true);
        }
      },
    ),
    { numRuns: 60 },
  );
});
