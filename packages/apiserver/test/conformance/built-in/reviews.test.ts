import { expect, test } from 'vitest';
import { outcome, sorted } from '../../support/apply-session.ts';
import { masked } from '../../support/masked.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';

const root = '/apis/authorization.k8s.io/v1';
const self = `${root}/selfsubjectaccessreviews`;
const subject = `${root}/subjectaccessreviews`;
const local = `${root}/namespaces/default/localsubjectaccessreviews`;
const rules = `${root}/selfsubjectrulesreviews`;
const who = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const token = '/apis/authentication.k8s.io/v1/tokenreviews';

const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'default' };
const nonResourceAttributes = { verb: 'get', path: '/x' };
/** Administrators may do everything on a real server, too. */
const groups = ['system:masters'];

const labelSelector = (selector: object) => ({
  spec: { groups, resourceAttributes: { ...resourceAttributes, labelSelector: selector } },
});
const fieldSelector = (selector: object) => ({
  spec: { groups, resourceAttributes: { ...resourceAttributes, fieldSelector: selector } },
});
const requirements = (...list: object[]) => ({ requirements: list });

/** The reviews to send, by subject. */
const asked: Record<string, readonly (readonly [path: string, body: unknown])[]> = {
  'may I': [
    [self, { spec: { resourceAttributes } }],
    [self, { spec: { nonResourceAttributes } }],
    [
      self,
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      },
    ],
    [self, { spec: { resourceAttributes }, status: { allowed: false, reason: 'sent' } }],
    [self, { spec: { resourceAttributes: {} } }],
    [`${self}?dryRun=All`, { spec: { resourceAttributes } }],
    [self, {}],
    [self, { spec: {} }],
    [self, { spec: { resourceAttributes, nonResourceAttributes } }],
    [self, { metadata: { name: 'x' }, spec: { resourceAttributes } }],
    [self, { metadata: { labels: { a: 'b' }, annotations: { a: 'b' } }, spec: { resourceAttributes } }],
    [
      self,
      { metadata: { uid: 'x', creationTimestamp: '2020-01-01T00:00:00Z' }, spec: { resourceAttributes } },
    ],
    [self, { metadata: { resourceVersion: '1' }, spec: { resourceAttributes } }],
    [self, { kind: 'Pod', apiVersion: 'v1' }],
    [self, { spec: { resourceAttributes: 3 } }],
    [`${self}?fieldValidation=Strict`, { spec: { resourceAttributes, extra: 1 } }],
  ],
  'may somebody': [
    [subject, { spec: { groups, resourceAttributes } }],
    [subject, { spec: { user: 'somebody', groups, nonResourceAttributes } }],
    [subject, { spec: { resourceAttributes } }],
    [subject, { spec: { user: 'somebody' } }],
    [subject, {}],
    [subject, { metadata: { generateName: 'x-' }, spec: { groups, resourceAttributes } }],
    [subject, { spec: { groups, extra: { key: ['value'] }, uid: 'u', resourceAttributes } }],
  ],
  'may somebody here': [
    [local, { spec: { groups, resourceAttributes } }],
    [local, { metadata: { namespace: 'default' }, spec: { groups, resourceAttributes } }],
    [local, { metadata: { namespace: 'other' }, spec: { groups, resourceAttributes } }],
    [local, { spec: { groups, resourceAttributes: { ...resourceAttributes, namespace: 'other' } } }],
    [local, { spec: { groups, resourceAttributes: { verb: 'get', resource: 'pods' } } }],
    [local, { spec: { groups, nonResourceAttributes } }],
    [local, { metadata: { name: 'x' }, spec: { groups, resourceAttributes } }],
    [local, { spec: { resourceAttributes } }],
    [
      `${root}/namespaces/missing/localsubjectaccessreviews`,
      { spec: { groups, resourceAttributes: { ...resourceAttributes, namespace: 'missing' } } },
    ],
    [`${root}/localsubjectaccessreviews`, { spec: { groups, resourceAttributes } }],
  ],
  'selectors in questions': [
    [subject, labelSelector({})],
    [subject, labelSelector({ rawSelector: 'a=b' })],
    [subject, labelSelector({ rawSelector: 'a=b', ...requirements({ key: 'a', operator: 'Exists' }) })],
    [subject, labelSelector(requirements({ key: 'a', operator: 'In' }))],
    [subject, labelSelector(requirements({ key: 'a', operator: 'Exists', values: ['b'] }))],
    [subject, labelSelector(requirements({ key: 'a b', operator: 'In', values: ['c d'] }))],
    [subject, labelSelector(requirements({ key: 'a', operator: 'New', values: ['b'] }))],
    [subject, labelSelector(requirements({ key: 'a', operator: 'New' }, { key: 'b', operator: 'Exists' }))],
    [subject, labelSelector({ rawSelector: 'a in b' })],
    [subject, fieldSelector({ rawSelector: 'a in (b)' })],
    [subject, fieldSelector(requirements({ key: 'a', operator: 'In', values: ['b'] }))],
    [subject, fieldSelector(requirements({ key: 'a', operator: 'In', values: ['b', 'c'] }))],
    [
      subject,
      fieldSelector(
        requirements({ key: 'a', operator: 'Exists' }, { key: 'a', operator: 'In', values: ['b'] }),
      ),
    ],
    [subject, fieldSelector({})],
    [subject, fieldSelector({ rawSelector: 'a=b' })],
    [subject, fieldSelector({ rawSelector: 'a=b', ...requirements({ key: 'a', operator: 'Exists' }) })],
    [subject, fieldSelector(requirements({ key: '', operator: 'NotIn' }))],
    [subject, fieldSelector(requirements({ key: 'a', operator: 'DoesNotExist', values: ['b'] }))],
    [subject, fieldSelector(requirements({ key: 'a', operator: 'New', values: ['b'] }))],
  ],
  'refused questions about oneself': [
    [rules, { spec: {} }],
    [rules, {}],
    [rules, { spec: { namespace: 3 } }],
    [who, { kind: 'Pod', apiVersion: 'v1' }],
    [token, { spec: {} }],
    [token, {}],
    [token, { spec: { token: 3 } }],
  ],
  'whose token': [
    [token, { spec: { token: 'bad' } }],
    [token, { spec: { token: 'bad', audiences: ['a'] } }],
    [token, { spec: { token: 'bad' }, status: { authenticated: true } }],
    [`${token}?dryRun=All`, { spec: { token: 'bad' } }],
  ],
};

onEachServer('reviews', (server) => {
  test.each(Object.keys(asked))('%s', async (title) => {
    const recorded = [];
    for (const [path, body] of asked[title] ?? []) {
      const answer = await server.session.post(path, body);
      recorded.push({ path, body, answer: told(answer) });
    }
    const name = title.replaceAll(' ', '-');
    await expect(asRecorded(masked(recorded))).toMatchFileSnapshot(`../recorded/reviews/${name}.yaml`);
  });

  test('everything is allowed', async () => {
    const { code, body } = await server.session.post(rules, { spec: { namespace: 'default' } });
    expect(code).toBe(201);
    expect(body).toMatchObject({ metadata: {}, spec: {}, status: { incomplete: false } });
    expect(body.status.resourceRules).toContainEqual({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
    expect(body.status.nonResourceRules).toContainEqual({ verbs: ['*'], nonResourceURLs: ['*'] });
  });

  test('the identity of the client', async () => {
    const { code, body } = await server.session.post(who, {});
    expect(code).toBe(201);
    expect(body).toMatchObject({
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: expect.any(String) },
      status: { userInfo: { username: expect.any(String), groups: expect.any(Array) } },
    });
  });

  test('other verbs, paths and forms', async () => {
    const answers: unknown[] = [];
    for (const path of [self, subject, local, rules, who, token]) {
      for (const [method, below] of [
        ['GET', ''],
        ['DELETE', ''],
        ['GET', '/x'],
        ['PUT', '/x'],
        ['PATCH', '/x'],
      ] as const) {
        answers.push({
          asked: `${method} ${path}${below}`,
          answer: told(await server.session.send(method, `${path}${below}`)),
        });
      }
    }
    for (const as of ['Table', 'PartialObjectMetadata']) {
      const accept = `application/json;as=${as};v=v1;g=meta.k8s.io`;
      const answer = await server.session.send('POST', self, {
        accept,
        body: { spec: { resourceAttributes } },
      });
      answers.push({ as, answer: told(answer) });
    }
    await expect(asRecorded(masked(answers))).toMatchFileSnapshot('../recorded/reviews/other-verbs.yaml');
  });

  test('discovery lists them', async () => {
    const documents = [];
    for (const path of [root, '/apis/authentication.k8s.io/v1'])
      documents.push(sorted((await server.session.get(path)).body));
    await expect(asRecorded(documents)).toMatchFileSnapshot('../recorded/reviews/discovery.yaml');
  });
});

function told(answer: Answer): unknown {
  if (typeof answer.body === 'string') return { code: answer.code, body: answer.body };
  // The authorizer gives the reason, so it differs.
  if (answer.body.status?.reason) answer.body.status.reason = '<reason>';
  return outcome(answer);
}
