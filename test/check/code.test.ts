import { beforeAll, describe, expect, test } from 'vitest';
import { checkedProject, findingsIn, linesOf } from '../support/checked-project.ts';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import type { TestProject } from '../support/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await checkedProject();
});

const controller = 'src/controllers/captain.controller.ts';
const user = 'system:serviceaccount:system:controller-manager';

/** A project whose reconciler calls this, with these imports. */
function calling(code: string, imports = ''): EditableProject {
  const copy = copyOf(project);
  copy.change(controller, (text) =>
    text
      .replace(/^import \{ Captain \}.*$/m, (line) => `${line}\n${imports}`)
      .replace(/^( *)\/\/ Create and update here.*$/m, (line, indent: string) => `${line}\n${indent}${code}`),
  );
  return copy;
}

const deployment = `import { Deployment } from 'ots-kubernetes/apps/v1';`;

describe('rbac-code', () => {
  test.each([
    [
      'an apply',
      deployment,
      'await this.#client.apply(Deployment, { metadata: { name: "a" } });',
      'create and patch on deployments.apps, which apply(Deployment) needs',
      'groups=apps resources=deployments verbs=create;patch',
    ],
    [
      'a delete of a kind under another name',
      `import { Pod as Whale } from 'ots-kubernetes/core/v1';`,
      'await this.#client.delete(Whale, request);',
      'delete on pods, which delete(Pod) needs',
      'groups=core resources=pods verbs=delete',
    ],
    [
      'a read of a kind of a namespace import',
      `import * as batch from 'ots-kubernetes/batch/v1';`,
      'await this.#client.list(batch.Job);',
      'list and watch on jobs.batch, which list(Job) needs',
      'groups=batch resources=jobs verbs=get;list;watch',
    ],
    [
      'a status',
      deployment,
      'await this.#client.status.patch(Deployment, request, {});',
      'patch on deployments.apps/status, which status.patch(Deployment) needs',
      'groups=apps resources=deployments/status verbs=patch',
    ],
    [
      'another subresource',
      `import { Pod } from 'ots-kubernetes/core/v1';`,
      `await this.#client.subresource('eviction').create(Pod, request, {});`,
      'create on pods/eviction, which eviction.create(Pod) needs',
      'groups=core resources=pods/eviction verbs=create',
    ],
    [
      'the metadata of a kind in a constant',
      `${deployment}\nimport { metadataOf } from 'ots-runtime';\nconst Meta = metadataOf(Deployment);`,
      'await this.#client.get(Meta, request);',
      'list and watch on deployments.apps, which get(Deployment) needs',
      'groups=apps resources=deployments verbs=get;list;watch',
    ],
    [
      'a helper of the runtime',
      `${deployment}\nimport { createOrPatch } from 'ots-runtime';`,
      'await createOrPatch(this.#client, Deployment, request, () => {});',
      'create and patch on deployments.apps, which createOrPatch(Deployment) needs',
      'groups=apps resources=deployments verbs=create;patch',
    ],
    [
      'events',
      '',
      `manager.eventRecorder('a');`,
      'create and patch on events.events.k8s.io, which eventRecorder needs',
      'groups=events.k8s.io resources=events verbs=create;patch',
    ],
    [
      'several calls for one resource',
      deployment,
      'await this.#client.create(Deployment, {}); await this.#client.update(Deployment, {}); await this.#client.deleteCollection(Deployment);',
      'create, update and deletecollection on deployments.apps, which create(Deployment), update(Deployment), deleteCollection(Deployment) need',
      'groups=apps resources=deployments verbs=create;update;deletecollection',
    ],
  ])('%s that no tag allows', async (_, imports, code, message, tag) => {
    const copy = calling(code, imports);
    const line =
      copy
        .read(controller)
        .split('\n')
        .findIndex((text) => text.includes(code.split('; ')[0]!)) + 1;
    expect(await findingsIn(copy)).toEqual([
      {
        rule: 'rbac-code',
        severity: 'error',
        file: controller,
        line,
        column: expect.any(Number),
        message: `No @rbac tag allows ${message}`,
        hint: `Add "@rbac ${tag}" to CaptainReconciler and run ots manifests.`,
        fixable: false,
      },
    ]);
  });

  test.each([
    ['a tag with other resources', 'groups=apps resources=deployments;statefulsets verbs=create;patch'],
    ['a tag for all', 'groups=* resources=* verbs=*'],
    ['a tag for some names', 'groups=apps resources=deployments resourceNames=a verbs=patch;create'],
    ['a tag for one namespace', 'groups=apps resources=deployments namespace=crew verbs=patch;create'],
  ])('%s allows the call', async (_, tag) => {
    const copy = calling('await this.#client.apply(Deployment, {});', deployment);
    copy.change(controller, (text) => text.replace(' * @rbac', ` * @rbac ${tag}\n * @rbac`));
    await copy.succeed('manifests');
    expect(await linesOf(copy)).toEqual([]);
  });

  test.each([
    [
      'a read from the server',
      'await this.#client.get(Deployment, request);',
      'groups=apps resources=deployments verbs=get',
    ],
    [
      'a read from a cache',
      'await this.#client.get(Deployment, request);',
      'groups=apps resources=deployments verbs=list;watch',
    ],
    [
      'an apply to the kind that is reconciled',
      'await this.#client.apply(Captain, {});',
      'groups=crew.example.com resources=captains verbs=patch',
    ],
  ])('%s needs no more than its rights', async (_, code, tag) => {
    const copy = calling(code, deployment);
    expect(await linesOf(copy)).toHaveLength(1);
    copy.change(controller, (text) => text.replace(' * @rbac', ` * @rbac ${tag}\n * @rbac`));
    await copy.succeed('manifests');
    expect(await linesOf(copy)).toEqual([]);
  });

  test('a role that the author wrote and bound allows the call', async () => {
    const copy = calling('await this.#client.apply(Deployment, {});', deployment);
    copy.write(
      'config/rbac/own.yaml',
      `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: own
rules:
  - apiGroups: [apps]
    resources: [deployments]
    verbs: [create, patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: own
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: own
subjects:
  - kind: ServiceAccount
    name: controller-manager
    namespace: system
`,
    );
    copy.change('config/rbac/kustomization.yaml', (text) => `${text}  - own.yaml\n`);
    expect(await linesOf(copy)).toEqual([]);
  });

  test.each([
    [
      'a kind that is only known at run time',
      '',
      'for (const kind of this.kinds) await this.#client.delete(kind, request);',
    ],
    ['a Map', deployment, 'new Map().get(Deployment.kind);'],
    ['a kind without a call', deployment, 'void Deployment;'],
    [
      'an unknown module',
      `import { Thing } from './thing.ts';`,
      'await this.#client.delete(Thing, request);',
    ],
  ])('%s is not a finding', async (_, imports, code) => {
    expect(await linesOf(calling(code, imports))).toEqual([]);
  });

  test('code that only tests use is left out', async () => {
    const copy = copyOf(project);
    copy.write(
      'src/testing/make.ts',
      `${deployment}\nexport const make = (client: any) => client.create(Deployment, {});\n`,
    );
    expect(await linesOf(copy)).toEqual([]);
  });
});

describe('rbac-record', () => {
  const captains = {
    group: 'crew.example.com',
    resource: 'captains',
    namespace: 'system',
    name: '',
    count: 1,
  };
  const status = { ...captains, resource: 'captains/status', name: 'a' };
  const all = [
    ...['get', 'list', 'watch'].map((verb) => ({ ...captains, verb })),
    ...['get', 'update', 'patch'].map((verb) => ({ ...status, verb })),
    { ...captains, resource: 'captains/finalizers', name: 'a', verb: 'update' },
  ];
  const withRecord = (requests: readonly object[]): EditableProject => {
    const copy = copyOf(project);
    copy.write('coverage/rbac/a.json', JSON.stringify({ version: 1, user, requests }));
    return copy;
  };

  test('tags that allow what tests requested are fine', async () => {
    expect(await linesOf(withRecord(all))).toEqual([]);
  });

  test('the records of all tests count together', async () => {
    const copy = withRecord(all.slice(0, 3));
    copy.write('coverage/rbac/b.json', JSON.stringify({ version: 1, user, requests: all.slice(3) }));
    expect(await linesOf(copy)).toEqual([]);
  });

  test('a request that no tag allows is an error, a tag that no test used a warning', async () => {
    const secrets = { ...captains, group: '', resource: 'secrets', name: 'a', verb: 'get' };
    expect(await linesOf(withRecord([...all.slice(0, -1), secrets]))).toEqual([
      `${controller}:21: error: A test recorded a request, for which @rbac groups=core resources=secrets verbs=get is missing (rbac-record)`,
      `${controller}:23: warning: No recorded request used this rule (rbac-record)`,
    ]);
  });

  test('what leader election requests needs no tag', async () => {
    const lease = {
      group: 'coordination.k8s.io',
      resource: 'leases',
      namespace: 'ship-system',
      name: '',
      count: 1,
    };
    expect(await linesOf(withRecord([...all, { ...lease, verb: 'create' }]))).toEqual([]);
  });

  test('a file that is not a record is an error', async () => {
    const copy = withRecord(all);
    copy.write('coverage/rbac/b.json', '{');
    expect(await linesOf(copy)).toEqual([
      'coverage/rbac/b.json:1: error: coverage/rbac/b.json is not a record of requests (rbac-record)',
    ]);
  });
});
