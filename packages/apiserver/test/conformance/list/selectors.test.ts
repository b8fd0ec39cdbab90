import { beforeAll, expect, test } from 'vitest';
import { crdOf, installCrd, objectOf, pathOf } from '../../support/fixtures.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { listOutcome } from './outcome.ts';
import { asRecorded } from '../../support/recorded.ts';

const labelSelectors = [
  'a=1',
  'a == 1',
  ' a = 1 ',
  'a!=1',
  'a in (1,2)',
  'a in (1,,2)',
  'a in (,)',
  'a in ()',
  'a in (,1)',
  'a notin ()',

  'a notin (1)',
  'in in (in,notin)',
  'a= in',
  'a,b',
  '!a',
  '!a,b',
  'b,!c',
  'a>1',
  'a<2',
  'a>1,a<3',
  'b>0',
  'a\n=1',
  ' ',
  '',

  'a<',
  'a>x@',
  'a>99999999999999999999',
  'a>9223372036854775807',
  'a>9223372036854775808',
  'a>-1',
  'a>+1',
  'a>=1',

  'a=b@',
  'a in (b@,a@)',
  'a in (1',
  'a in (1 2)',
  'a in (1,!)',
  'a in (!)',
  'a in 1',
  'a notin',
  'a in (1)b',
  'a in',

  '!a=1',
  'a!',
  '!',
  '!!a',
  'a,,b',
  ',a',
  '(a)',
  'a=1)',
  'a===1',
  'a=!b',
  'a b',
  'a/b/c',
  '/a',
  'a/',
  'A_b.example/x',
  'a\v=1',
  'a\u00a0',
  '\u00e9',
  'a\0b',
  'a,\0',
  '\0a',
  'constructor',
  '__proto__=x',
  '!__proto__',
  `a=${'x'.repeat(64)}`,
  'k'.repeat(64),
  `${'p'.repeat(254)}/k`,
  'example.com/a=1',
];

const fieldSelectors = [
  'metadata.name=c1',
  'metadata.name==c1',
  'metadata.name!=c1',
  'metadata.name=c1,metadata.name=c2',
  ',',
  '',
  'metadata.name!=c1,metadata.name=c2',
  'metadata.name=',
  'metadata.name',
  'metadata.name===c1',
  '!metadata.name',
  'metadata.name=a=b',
  'metadata.name=a\\b',
  'metadata.name=a\\',
  'metadata.name=a\\,b',
  'metadata.name=a\\=b',
  'metadata.namespace=selectors',
  'metadata.namespace!=selectors',
  ' metadata.name=c1',
  'metadata.name = c1',
  'metadata.uid=1',
  'data.a=1',
  'b=1,a=1',
  'x=1,b',
  '=',
  'constructor=x',
  '__proto__!=x',
  'metadata.name=c1,a=1',
];

const kindFields: Record<string, string[]> = {
  '/api/v1/pods': [
    'spec.nodeName=',
    'spec.host=',
    'spec.hostNetwork=false',
    'status.podIPs=x',
    'status.hostIP=x',
  ],
  '/api/v1/nodes': ['spec.unschedulable=false', 'metadata.namespace=x', 'spec.podCIDR=x'],
  '/api/v1/events': ['involvedObject.kind=Pod', 'source=kubelet', 'type=Normal', 'regarding.kind=Pod'],
  '/apis/events.k8s.io/v1/events': [
    'regarding.kind=Pod',
    'reportingController=x',
    'involvedObject.kind=Pod',
    'source=x',
  ],
  '/api/v1/namespaces': ['status.phase=Terminating', 'metadata.namespace=x', 'name=default'],
  '/api/v1/secrets': ['type=example.com/none', 'data=x'],
  '/api/v1/services': ['spec.type=ExternalName', 'spec.clusterIP=1.2.3.4', 'spec.ports=x'],
  '/api/v1/replicationcontrollers': ['status.replicas=1', 'spec.replicas=1'],
  '/apis/apps/v1/replicasets': ['status.replicas=1'],
  '/apis/apps/v1/deployments': ['status.replicas=1', 'metadata.name=x'],
  '/apis/batch/v1/jobs': ['status.successful=1', 'status.active=1'],
  '/apis/certificates.k8s.io/v1/certificatesigningrequests': [
    'spec.signerName=x',
    'spec.x=y',
    'metadata.namespace=x',
  ],
  '/apis/rbac.authorization.k8s.io/v1/clusterroles': ['metadata.namespace=x', 'rules=x'],
};

onEachServer('selectors', (server) => {
  const list = '/api/v1/namespaces/selectors/configmaps';
  beforeAll(async () => {
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'selectors' } });
    for (const [name, labels] of Object.entries({
      c1: { a: '1', b: '' },
      c2: { a: '2', b: 'x', c: '' },
      c3: { a: '3', in: 'in' },
      c4: {},
    })) {
      await server.session.post(list, { metadata: { name, labels } });
    }
  });

  const outcomes = async (parameter: string, path: string, selectors: readonly string[]) => {
    const results: Record<string, unknown> = {};
    for (const selector of selectors) {
      const answer = await server.session.get(`${path}?${parameter}=${encodeURIComponent(selector)}`);
      results[JSON.stringify(selector)] = listOutcome(answer);
    }
    return results;
  };

  test('label selectors', async () => {
    const results = await outcomes('labelSelector', list, labelSelectors);
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/label-selectors.yaml');
  });

  test('field selectors', async () => {
    const results = await outcomes('fieldSelector', list, fieldSelectors);
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/field-selectors.yaml');
  });

  test('every kind has its own fields', async () => {
    const results: Record<string, unknown> = {};
    for (const [path, selectors] of Object.entries(kindFields)) {
      results[path] = await outcomes('fieldSelector', path, selectors);
    }
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/kind-fields.yaml');
  });

  test('field selectors compare text', async () => {
    const secrets = '/api/v1/namespaces/selectors/secrets';
    await server.session.post(secrets, { metadata: { name: 's1' }, type: 'example.com/one' });
    await server.session.post(secrets, { metadata: { name: 's2' }, type: 'example.com/two' });
    expect(
      await outcomes('fieldSelector', secrets, ['type=example.com/one', 'type!=example.com/one']),
    ).toStrictEqual({
      '"type=example.com/one"': { names: ['s1'] },
      '"type!=example.com/one"': { names: ['s2'] },
    });
    const events = '/api/v1/namespaces/selectors/events';
    const involvedObject = { kind: 'ConfigMap', namespace: 'selectors', name: 'c1' };
    await server.session.post(events, {
      metadata: { name: 'e1' },
      involvedObject,
      reason: 'R',
      source: { component: 'x' },
    });
    for (const [path, selectors] of Object.entries({
      [events]: [
        'involvedObject.name=c1',
        'source=x',
        'source=y',
        'reason!=R',
        'involvedObject.name=c1,reason=R',
      ],
      '/apis/events.k8s.io/v1/namespaces/selectors/events': ['regarding.name=c1', 'regarding.name=c2'],
    })) {
      const found = Object.entries(await outcomes('fieldSelector', path, selectors)).map(
        ([selector, { names }]: [string, any]) => [selector, names.length],
      );
      expect(found).toStrictEqual(
        selectors.map((selector) => [JSON.stringify(selector), /y$|!=R|c2/.test(selector) ? 0 : 1]),
      );
    }
  });

  test('custom resources can be selected by the fields that their version declares', async () => {
    const crd = crdOf('Chosen', {
      size: { type: 'integer' },
      on: { type: 'boolean' },
      color: { type: 'string' },
    });
    crd.spec.versions[0].selectableFields = ['size', 'on', 'color'].map((name) => ({
      jsonPath: `.spec.${name}`,
    }));
    await installCrd(server.session, crd);
    await server.session.post(
      pathOf('Chosen'),
      objectOf('Chosen', 'o1', { size: 1, on: true, color: 'red' }),
    );
    await server.session.post(pathOf('Chosen'), objectOf('Chosen', 'o2', { size: 0, on: false }));
    await server.session.post(pathOf('Chosen'), objectOf('Chosen', 'o3', {}));
    const results = await outcomes('fieldSelector', pathOf('Chosen'), [
      'spec.size=1',
      'spec.size=0',
      'spec.size=',
      'spec.size!=1',
      'spec.on=true',
      'spec.on=false',
      'spec.on=',
      'spec.color=red',
      'spec.color=',
      'spec.color!=red,metadata.name=o3',
      'spec.other=1',
      '.spec.size=1',
    ]);
    await expect(asRecorded(results)).toMatchFileSnapshot('../recorded/custom-fields.yaml');
  });
});
