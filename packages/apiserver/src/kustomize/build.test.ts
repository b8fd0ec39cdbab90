import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readObjects } from './build.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ots-kustomize-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

/** Writes files by their paths, in JSON, which is YAML. */
async function write(files: Record<string, unknown>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

const read = async (name = '.') =>
  (await readObjects(path.join(directory, name))).map(({ object }) => object) as any[];
const config = (name: string, namespace?: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(namespace !== undefined && { namespace }) },
});
const namesOf = (objects: any[]) => objects.map(({ metadata }) => metadata.name);

test('the files of a directory are read in the order of their names, with the numbers of their documents', async () => {
  await write({ 'b.yaml': config('b'), 'a.yml': 'a: 1\n', 'c.txt': 'no' });
  await write({ 'a.yml': `---\n${JSON.stringify(config('a1'))}\n---\n---\n${JSON.stringify(config('a2'))}` });
  const found = await readObjects(directory);
  expect(found.map(({ object, document }) => [object.metadata.name, document])).toEqual([
    ['a1', 1],
    ['a2', 3],
    ['b', 1],
  ]);
  expect(found[0]?.file).toBe(path.join(directory, 'a.yml'));
});

test('a kustomization names what it lists; references follow', async () => {
  const subject = { kind: 'ServiceAccount', name: 'manager', namespace: 'system' };
  await write({
    'base/kustomization.yaml': { resources: ['all.json'] },
    'base/all.json': [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'system' } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'manager', namespace: 'system' } },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'role' } },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'binding', labels: { a: 'b' } },
        roleRef: { kind: 'ClusterRole', name: 'role' },
        subjects: [subject, { ...subject, name: 'foreign' }, { kind: 'User', name: 'manager' }],
      },
    ]
      .map((object) => JSON.stringify(object))
      .join('\n---\n'),
    'kustomization.yaml': {
      kind: 'Kustomization',
      namespace: 'mine',
      namePrefix: 'my-',
      labels: [{ pairs: { c: 'd' } }],
      resources: ['base'],
    },
  });
  expect(await read()).toMatchObject([
    { metadata: { name: 'mine', labels: { c: 'd' } } },
    { metadata: { name: 'my-manager', namespace: 'mine' } },
    { metadata: { name: 'my-role' } },
    {
      metadata: { name: 'my-binding', labels: { a: 'b', c: 'd' } },
      roleRef: { name: 'my-role' },
      subjects: [
        { name: 'my-manager', namespace: 'mine' },
        { name: 'foreign', namespace: 'system' },
        { kind: 'User', name: 'manager' },
      ],
    },
  ]);
});

test('patches and images change containers; a component changes what its parent has collected', async () => {
  await write({
    'manager.yaml': {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'manager' },
      spec: { template: { spec: { containers: [{ name: 'm', image: 'a:1/controller:2', args: [] }] } } },
    },
    'kustomization.yaml': {
      resources: ['manager.yaml'],
      components: ['component'],
      namePrefix: 'my-',
      images: [{ name: 'a:1/controller', newName: 'b', newTag: '3' }],
    },
    'component/kustomization.yaml': {
      kind: 'Component',
      configurations: ['names.yaml'],
      resources: ['secret.yaml'],
      patches: [
        {
          target: { kind: 'Deploy.*', name: 'manager' },
          patch: '- {op: add, path: /spec/template/spec/containers/0/args/-, value: certificate}',
        },
        { target: { kind: 'Deployment' }, path: 'merge.yaml' },
        { target: { kind: 'StatefulSet' }, patch: '- {op: remove, path: /nothing}' },
      ],
    },
    'component/secret.yaml': { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'certificate' } },
    'component/merge.yaml': {
      apiVersion: 'v1',
      kind: 'Any',
      metadata: { name: 'any', annotations: { x: 'y' } },
      spec: { template: { spec: { containers: [{ name: 'm', tty: true }] } } },
    },
    'component/names.yaml': {
      nameReference: [
        {
          kind: 'Secret',
          fieldSpecs: [{ kind: 'Deployment', path: 'spec/template/spec/containers/args' }],
        },
      ],
    },
  });
  const [deployment] = await read();
  expect(deployment).toMatchObject({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'my-manager', annotations: { x: 'y' } },
  });
  expect(deployment.spec.template.spec.containers).toEqual([
    { name: 'm', image: 'b:3', args: ['my-certificate'], tty: true },
  ]);
});

test('aliases in a file do not make two objects share a part', async () => {
  await write({
    'kustomization.yaml': { namePrefix: 'my-', resources: ['two.yaml'] },
    'two.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: &m {name: a}\nx: *m\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: b}\n',
  });
  const objects = await read();
  expect(namesOf(objects)).toEqual(['my-a', 'my-b']);
  expect(objects[0]).toMatchObject({ x: { name: 'a' } });
});

describe('an error names the file and', () => {
  const one = { 'a.yaml': config('a') };
  const refused: [string, Record<string, unknown>, string][] = [
    ['a field that is not supported', { nameSuffix: '-x' }, 'nameSuffix is not supported; supported are'],
    ['a transformer', { transformers: ['../names'] }, 'transformers is not supported'],
    [
      'a field of a label',
      { labels: [{ pairs: {}, includeSelectors: true }] },
      'labels[0].includeSelectors is',
    ],
    [
      'a field of a target',
      { patches: [{ patch: '{}', target: { group: 'a' } }] },
      'patches[0].target.group is',
    ],
    ['a patch without target', { patches: [{ patch: '{}' }] }, 'patches[0].target is missing'],
    ['a patch without content', { patches: [{ target: {} }] }, 'patches[0].patch or path is required'],
    ['a patch of text', { patches: [{ patch: 'x', target: {} }] }, 'patches[0].patch is not a patch'],
    ['a patch that is not YAML', { patches: [{ patch: '{', target: {} }] }, 'patches[0].patch is not YAML'],
    [
      'a pattern that is wrong',
      { patches: [{ patch: '[]', target: { name: '(' } }] },
      'patches[0].target.name is not a regular expression',
    ],
    [
      'a patch that does not fit',
      { patches: [{ patch: '[{op: test, path: /kind, value: Secret}]', target: {} }] },
      'patches[0] on ConfigMap a: testing value /kind failed',
    ],
    ['a missing patch', { patches: [{ path: 'nowhere.yaml', target: {} }] }, 'nowhere.yaml cannot be read'],
    ['an image without name', { images: [{ newTag: '1' }] }, 'images[0].name is missing'],
    ['a digest', { images: [{ name: 'a', digest: 'b' }] }, 'images[0].digest is not supported'],
    ['another kind', { kind: 'Chart' }, 'the kind Chart is not supported'],
    ['a list that is text', { resources: 'a.yaml' }, 'resources is not a list'],
    ['a resource that is a number', { resources: [1] }, 'resources[0] is not a text'],
    ['a resource at a URL', { resources: ['https://example.com/x'] }, 'example.com/x cannot be read'],
    ['a Kustomization among components', { components: ['other'] }, 'other is not a Component'],
    ['a component among resources', { resources: ['component'] }, 'component is not a Kustomization'],
    ['a directory without a kustomization', { resources: ['empty'] }, 'empty has no kustomization.yaml'],
    ['a kustomization that includes itself', { resources: ['loop'] }, 'it includes itself'],
    ['a configuration of prefixes', { configurations: ['prefix.yaml'] }, 'more than a list nameReference'],
    ['a missing configuration', { configurations: ['nowhere'] }, 'nowhere cannot be read'],
  ];
  test.each(refused)('%s', async (_, fields, problem) => {
    await write({
      ...one,
      'other/kustomization.yaml': {},
      'component/kustomization.yaml': { kind: 'Component' },
      'empty/x.txt': '',
      'loop/kustomization.yaml': { resources: ['..'] },
      'prefix.yaml': { namePrefix: [] },
      'kustomization.yaml': { resources: ['a.yaml'], ...fields },
    });
    const error = await read().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'KUSTOMIZATION',
      message: expect.stringContaining(path.join(directory, 'kustomization.yaml')),
    });
    expect((error as Error).message).toContain(problem);
  });

  test.each(['[]', 'a: {', '{}\n---\n{}', 'x: &a [*a]'])('a kustomization that is %s', async (text) => {
    await write({ 'kustomization.yaml': text });
    await expect(read()).rejects.toMatchObject({ code: 'KUSTOMIZATION' });
  });

  test('a manifest that is wrong', async () => {
    await write({ 'a.yaml': 'a: {', 'b.yaml': 'kind: b' });
    for (const name of ['a.yaml', 'b.yaml'])
      await expect(read(name)).rejects.toMatchObject({
        code: 'MANIFEST_FILE',
        message: expect.stringContaining(path.join(directory, name)),
      });
  });

  test('a path that does not exist', async () => {
    await expect(read('nowhere')).rejects.toMatchObject({
      code: 'MANIFEST_PATH',
      message: expect.stringContaining('nowhere'),
    });
  });
});

test('pods refer to the new names of their ConfigMaps, Secrets and ServiceAccounts', async () => {
  const spec = {
    serviceAccountName: 'manager',
    volumes: [
      { name: 'a', configMap: { name: 'settings' } },
      { name: 'b', secret: { secretName: 'token' } },
      { name: 'c', configMap: { name: 'foreign' } },
    ],
    containers: [
      {
        name: 'main',
        env: [
          { name: 'A', value: 'settings' },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } },
        ],
        envFrom: [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'token' } }],
      },
    ],
  };
  await write({
    'a.yaml': config('settings'),
    'b.yaml': { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token' } },
    'c.yaml': { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'manager' } },
    'd.yaml': {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'set' },
      spec: { template: { spec } },
    },
    'e.yaml': {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'job' },
      spec: { jobTemplate: { spec: { template: { spec } } } },
    },
    'kustomization.yaml': {
      namePrefix: 'my-',
      resources: ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml', 'e.yaml'],
    },
  });
  const renamed = {
    serviceAccountName: 'my-manager',
    volumes: [
      { name: 'a', configMap: { name: 'my-settings' } },
      { name: 'b', secret: { secretName: 'my-token' } },
      { name: 'c', configMap: { name: 'foreign' } },
    ],
    containers: [
      {
        name: 'main',
        env: [
          { name: 'A', value: 'settings' },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'my-settings', key: 'a' } } },
        ],
        envFrom: [{ configMapRef: { name: 'my-settings' } }, { secretRef: { name: 'my-token' } }],
      },
    ],
  };
  const [, , , set, job] = await read();
  expect(set.spec.template.spec).toEqual(renamed);
  expect(job.spec.jobTemplate.spec.template.spec).toEqual(renamed);
});

test('the binding of a policy refers to the new name of the policy', async () => {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  await write({
    'a.yaml': { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name: 'few' } },
    'b.yaml': {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'few' },
      spec: { policyName: 'few' },
    },
    'kustomization.yaml': { namePrefix: 'my-', resources: ['a.yaml', 'b.yaml'] },
  });
  expect((await read())[1]).toMatchObject({ metadata: { name: 'my-few' }, spec: { policyName: 'my-few' } });
});
