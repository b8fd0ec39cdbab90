import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Break, checkedProject, expectFindings, linesOf, replace } from '../support/checked-project.ts';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import type { TestProject } from '../support/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await checkedProject();
});

const manager = 'config/manager/manager.yaml';
const sample = 'config/samples/crew_v1_captain.yaml';

const remove = (copy: EditableProject, path: string): void =>
  rmSync(join(copy.directory, path), { recursive: true });

describe('kustomization-entries', () => {
  test.each<Break>([
    [
      'a file that was renamed',
      replace('config/rbac/kustomization.yaml', 'role-binding.yaml', 'role-bindings.yaml'),
      [
        'config/rbac/kustomization.yaml:8: error: resources names role-bindings.yaml, which does not exist in config/rbac (kustomization-entries)',
        'config/rbac/role-binding.yaml:1: warning: config/rbac/kustomization.yaml does not name role-binding.yaml',
      ],
    ],
    [
      'a directory without a kustomization',
      (copy) => {
        copy.write('config/extra/quota.txt', 'none');
        copy.change('config/default/kustomization.yaml', (text) =>
          text.replace('  - ../crd\n', '  - ../crd\n  - ../extra\n'),
        );
      },
      [
        'config/default/kustomization.yaml:29: error: resources names ../extra, which has no kustomization.yaml (kustomization-entries)',
      ],
    ],
    [
      'a patch that does not exist',
      (copy) =>
        copy.write(
          'config/manager/kustomization.yaml',
          `${copy.read('config/manager/kustomization.yaml')}patches:\n  - path: limits.yaml\n    target:\n      kind: Deployment\n`,
        ),
      [
        'config/manager/kustomization.yaml:15: error: patches names limits.yaml, which does not exist in config/manager (kustomization-entries)',
      ],
    ],
    [
      'a manifest that was forgotten',
      (copy) =>
        copy.write(
          'config/rbac/extra.yaml',
          'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: extra\n',
        ),
      [
        'config/rbac/extra.yaml:1: warning: config/rbac/kustomization.yaml does not name extra.yaml, so it is not part of any build (kustomization-entries)',
      ],
    ],
  ])('%s', (_, edit, expected) => expectFindings(project, edit, expected));
});

describe('kustomize-build', () => {
  test.each<Break>([
    [
      'a list that is not one',
      replace('config/default/kustomization.yaml', 'namePrefix: ship-', 'namePrefix: [ship-]'),
      [
        'config/default/kustomization.yaml:8: error: config/default/kustomization.yaml cannot be built: namePrefix is not a text (kustomize-build)',
      ],
    ],
    [
      'a document that is not an object of Kubernetes',
      (copy) => copy.write('config/rbac/service-account.yaml', 'name: ship\n'),
      [
        'config/rbac/service-account.yaml:1: error: config/rbac/service-account.yaml is not a manifest: a document has no apiVersion and kind (kustomize-build)',
      ],
    ],
    [
      'a patch whose container is gone',
      replace(manager, '- name: manager\n', '- name: operator\n'),
      [
        'config/certificates/kustomization.yaml:20: error: config/certificates/kustomization.yaml cannot be built: patches[0] on Deployment controller-manager: add operation does not apply',
      ],
    ],
  ])('%s', (_, edit, expected) => expectFindings(project, edit, expected));

  test('what only kustomize can build is skipped without it, and says so', async () => {
    const copy = copyOf(project);
    copy.change('config/default/kustomization.yaml', (text) => `${text}nameSuffix: -blue\n`);
    const { code, stdout } = await copy.runIn({ env: { PATH: copy.directory } }, 'check', '--verbose');
    expect(stdout).toContain(
      'not checked: config/default needs kustomize: Neither kubectl nor kustomize is installed (kustomize-build)',
    );
    expect(code).toBe(0);
  });

  test('what only kustomize can build is built by it, if it is installed', async () => {
    const copy = copyOf(project);
    copy.change('config/default/kustomization.yaml', (text) => `${text}nameSuffix: -blue\n`);
    copy.write(
      'kustomize.mjs',
      `process.stdout.write(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: process.argv.at(-1) }] } }));`,
    );
    const env = { KUBECTL: `${process.execPath} ${copy.directory}/kustomize.mjs` };
    const { stdout } = await copy.runIn({ env }, 'check');
    expect(stdout).toContain(
      'config/default/kustomization.yaml:1: error: Pod a breaks the restricted Pod Security Standard: allowPrivilegeEscalation',
    );
    copy.write('kustomize.mjs', `console.error('Error: no luck'); process['exitCode'] = 1;`);
    expect((await copy.runIn({ env }, 'check')).stdout).toMatch(
      /config\/default\/kustomization.yaml:1: error: .* cannot build config\/default: Error: no luck \(kustomize-build\)/,
    );
  });
});

describe('object-fields', () => {
  test.each<Break>([
    [
      'a field that does not exist',
      replace(manager, '  replicas: 1\n', '  replica: 1\n'),
      [
        `${manager}:11: error: Deployment ship-controller-manager: unknown field "spec.replica" (object-fields)`,
      ],
    ],
    [
      'a value of the wrong type',
      replace(manager, '  replicas: 1\n', "  replicas: 'one'\n"),
      [
        `${manager}:11: error: Deployment ship-controller-manager: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32 (object-fields)`,
      ],
    ],
  ])('%s', async (_, edit, expected) => {
    const copy = copyOf(project);
    edit(copy);
    expect(await linesOf(copy)).toContainEqual(expect.stringContaining(expected[0]!));
  });
});

describe('samples', () => {
  test.each<Break>([
    [
      'a field that the type does not have',
      replace(sample, 'replicas: 1', 'replica: 1'),
      [`${sample}:10: error: unknown field "spec.replica" (samples)`],
    ],
    [
      'a value that the type does not allow',
      replace(sample, 'replicas: 1', "replicas: 'one'"),
      [
        `${sample}:10: error: spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string" (samples)`,
      ],
    ],
    [
      'another version',
      replace(sample, 'crew.example.com/v1', 'crew.example.com/v7'),
      [
        `${sample}:2: warning: PROJECT has no resource crew.example.com/v7 Captain, of which this is a sample (orphaned-files)`,
      ],
    ],
    [
      'a text instead of an object',
      (copy) => copy.write(sample, 'Captain\n'),
      [`${sample}:1: error: The sample has no apiVersion, kind or metadata (samples)`],
    ],
  ])('%s', async (_, edit, expected) => {
    const copy = copyOf(project);
    edit(copy);
    expect(await linesOf(copy)).toContainEqual(expect.stringContaining(expected[0]!));
  });

  test("a sample that one of the project's policies refuses", async () => {
    const copy = copyOf(project);
    copy.write('config/policies/kustomization.yaml', 'resources:\n  - few.yaml\n');
    copy.write(
      'config/policies/few.yaml',
      `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: few
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [crew.example.com]
        apiVersions: ['*']
        operations: [CREATE]
        resources: [captains]
  validations:
    - expression: object.spec.replicas < 1
      message: a ship has no captain yet
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: few
spec:
  policyName: few
  validationActions: [Deny]
`,
    );
    copy.change('config/default/kustomization.yaml', (text) =>
      text.replace('  - ../crd\n', '  - ../crd\n  - ../policies\n'),
    );
    expect(await linesOf(copy)).toEqual([
      `${sample}:1: error: captains.crew.example.com "captain-v1-sample" is forbidden: ValidatingAdmissionPolicy 'ship-few' with binding 'ship-few' denied request: a ship has no captain yet (samples)`,
    ]);
  });

  test('an object of a kind that ots does not know is left out', async () => {
    const copy = copyOf(project);
    copy.change(
      sample,
      (text) => `${text}---\napiVersion: other.example.org/v1\nkind: Thing\nmetadata:\n  name: a\n`,
    );
    expect(await linesOf(copy)).toEqual([]);
    expect((await copy.run('check', '--verbose')).stdout).toContain(
      `not checked: ${sample}: ots does not know Thing of other.example.org/v1 (samples)`,
    );
  });
});

describe('pod-security', () => {
  test.each<Break>([
    [
      'a container that may become root',
      replace(manager, 'allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true'),
      [
        `${manager}:84: error: Deployment ship-controller-manager breaks the restricted Pod Security Standard: allowPrivilegeEscalation != false (container "manager" must set securityContext.allowPrivilegeEscalation=false) (pod-security)`,
      ],
    ],
    [
      'no seccomp profile',
      replace(manager, /        seccompProfile:\n {10}type: RuntimeDefault\n/, ''),
      [
        `${manager}:82: error: Deployment ship-controller-manager breaks the restricted Pod Security Standard: seccompProfile`,
      ],
    ],
    [
      'the network of the node',
      replace(manager, '      serviceAccountName:', '      hostNetwork: true\n      serviceAccountName:'),
      [
        'Deployment ship-controller-manager breaks the restricted Pod Security Standard: host namespaces (hostNetwork=true) (pod-security)',
      ],
    ],
  ])('%s', async (_, edit, expected) => {
    const copy = copyOf(project);
    edit(copy);
    expect(await linesOf(copy)).toContainEqual(expect.stringContaining(expected[0]!));
  });
});

describe('references', () => {
  test.each<Break>([
    [
      'a role that was renamed',
      replace('config/rbac/role-binding.yaml', 'name: manager-role\n', 'name: manager-rol\n'),
      [
        'config/rbac/role-binding.yaml:8: error: ClusterRoleBinding ship-manager-rolebinding: there is no ClusterRole manager-rol (references)',
      ],
    ],
    [
      'a ServiceAccount that was renamed',
      replace('config/rbac/service-account.yaml', 'name: controller-manager', 'name: manager'),
      ['ServiceAccount controller-manager'],
    ],
    [
      'labels of the pods that the Services do not select',
      replace(
        manager,
        /      labels:\n {8}app.kubernetes.io\/name: .*\n {8}control-plane: controller-manager/,
        '      labels:\n        control-plane: controllers',
      ),
      [
        `${manager}:14: error: Deployment ship-controller-manager: its selector wants the label app.kubernetes.io/name: ship, which its pods do not have (references)`,
      ],
    ],
    [
      'a port of the metrics that the container does not have',
      replace('config/manager/metrics-service.yaml', 'targetPort: metrics', 'targetPort: metric'),
      [
        'config/manager/metrics-service.yaml:14: error: Service ship-metrics-service: no container has the port metric (references)',
      ],
    ],
    [
      'the Service of the webhooks on another port',
      replace('config/webhook/service.yaml', 'port: 443', 'port: 8443'),
      [
        'config/webhook/manifests.yaml:11: error: MutatingWebhookConfiguration ship-mutating-webhook-configuration: the Service ship-webhook-service has no port 443 (references)',
      ],
    ],
    [
      'webhooks without their Service',
      (copy) => {
        remove(copy, 'config/webhook/service.yaml');
        copy.change('config/webhook/kustomization.yaml', (text) => text.replace('  - service.yaml\n', ''));
      },
      [
        'config/webhook/manifests.yaml:12: error: MutatingWebhookConfiguration ship-mutating-webhook-configuration: there is no Service webhook-service in',
      ],
    ],
    [
      'a ConfigMap that does not exist',
      replace(
        manager,
        '          ports:\n',
        '          envFrom:\n            - configMapRef:\n                name: settings\n          ports:\n',
      ),
      [
        `${manager}:55: warning: Deployment ship-controller-manager: there is no ConfigMap settings in ship-system (references)`,
      ],
    ],
  ])('%s', async (_, edit, expected) => {
    const copy = copyOf(project);
    edit(copy);
    expect(await linesOf(copy)).toContainEqual(expect.stringContaining(expected[0]!));
  });
});

test('names of ConfigMaps and Secrets that a prefix changes are followed', async () => {
  const copy = copyOf(project);
  copy.write(
    'config/manager/settings.yaml',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: system\n',
  );
  copy.change('config/manager/kustomization.yaml', (text) =>
    text.replace('  - manager.yaml\n', '  - manager.yaml\n  - settings.yaml\n'),
  );
  copy.change(manager, (text) =>
    text.replace(
      '          ports:\n',
      '          envFrom:\n            - configMapRef:\n                name: settings\n          ports:\n',
    ),
  );
  expect(await linesOf(copy)).toEqual([]);
});

test('a network policy that is turned on selects pods', async () => {
  const copy = copyOf(project);
  copy.change('config/default/kustomization.yaml', (text) =>
    text.replace('  - ../webhook\n', '  - ../webhook\n  - ../network-policy\n'),
  );
  expect(await linesOf(copy)).toEqual([]);
  copy.change('config/network-policy/allow-metrics-traffic.yaml', (text) =>
    text.replace('controller-manager', 'controller'),
  );
  expect(await linesOf(copy)).toEqual([
    'config/network-policy/allow-metrics-traffic.yaml:9: warning: NetworkPolicy ship-allow-metrics-traffic: its selector matches no pods (references)',
  ]);
});

describe('image-names', () => {
  test('an entry for an image that no container uses', () =>
    expectFindings(
      project,
      replace(manager, 'image: controller:latest', 'image: registry.example.com/ship:v1'),
      [
        'config/manager/kustomization.yaml:11: warning: images names controller, but no container uses this image, so the entry changes nothing (image-names)',
      ],
    ));

  test('an overlay may change the image again', async () => {
    const copy = copyOf(project);
    copy.write(
      'config/staging/kustomization.yaml',
      'resources:\n  - ../default\nimages:\n  - name: controller\n    newName: registry.example.com/ship\n',
    );
    expect(await linesOf(copy)).toEqual([]);
  });
});

describe('leader-election', () => {
  test('a lease that the role does not allow', () =>
    expectFindings(
      project,
      replace('config/rbac/leader-election-role.yaml', /- '\w+\.example\.com'/, "- 'other.example.com'"),
      [
        'config/rbac/leader-election-role.yaml:20: error: The role allows the lease "other.example.com", but src/main.ts elects with "',
      ],
    ));
});
