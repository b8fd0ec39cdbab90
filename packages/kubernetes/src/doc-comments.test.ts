import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { resources } from './resources.ts';

/** Every module, and the name of its group in the API reference. */
const groups = new Map([
  ['meta/v1', 'meta'],
  ...resources.map(({ module, group }) => [module, group || 'core'] as const),
]);
const referencePrefix = 'https://kubernetes.io/docs/reference/generated/kubernetes-api';
/** Everything that a comment may contain: facts, and no sentence of the documents. */
const factPattern =
  /^(?:Required|Seconds|Percent|Bytes|Base64|Immutable(?: in [A-Z]\w+(?:, [A-Z]\w+)*)?|Atomic(?: list)?|Set|List keyed by \w+(?:, \w+)*|(?:One|Some) of: [^,.]+(?:, [^,.]+)*|Default: \S+)$/;

const textOf = (module: string): string => readFileSync(new URL(`${module}.ts`, import.meta.url), 'utf8');

/** The comments of a type's fields, by field. */
function commentsOf(module: string, type: string): Record<string, string> {
  const body = new RegExp(`^export interface ${type} .*\\{\\n([^}]*)^\\}`, 'm').exec(textOf(module))?.[1];
  const fields = body?.matchAll(/^ {2}\/\*\* (.*) \*\/\n {2}'?([\w$-]+)'?\??:/gm) ?? [];
  return Object.fromEntries([...fields].map(([, comment, field]) => [field!, comment!]));
}

test.each([...groups])(
  'every type of %s says where the reference of the API describes it',
  (module, group) => {
    const version = module.split('/')[1];
    const types = [...textOf(module).matchAll(/^(?:\/\*\* (.*) \*\/\n)?export (?:interface|type) (\w+)/gm)];
    expect(types.length).toBeGreaterThan(0);
    for (const [, comment, name] of types) {
      const anchor = `${name!.toLowerCase()}-${version}-${group.replaceAll('.', '-')}`;
      expect(comment?.split(' ').at(-1), name).toMatch(/^https:\S+\/v1\.\d+\/#[a-z0-9-]+$/);
      expect(comment, name).toMatch(new RegExp(`${referencePrefix}/v1\\.\\d+/#${anchor}$`));
    }
  },
);

test.each(
  resources.map(({ module, kind, group, version, scope }) => ({ module, kind, group, version, scope })),
)('$kind of $module says its group, version and scope', ({ module, kind, group, version, scope }) => {
  const words = scope === 'Namespaced' ? 'namespaced' : 'cluster-scoped';
  expect(textOf(module)).toContain(
    `/** Kind of ${group ? `${group}/` : ''}${version}, ${words}. ${referencePrefix}/`,
  );
  expect(textOf(module)).toMatch(new RegExp(`/\\*\\* Kind of .*\\*/\nexport interface ${kind} `));
});

test.each([...groups.keys()])('the comments of the fields of %s are facts', (module) => {
  for (const [, comment] of textOf(module).matchAll(/^ {2}\/\*\* (.*) \*\/$/gm)) {
    for (const fact of comment!.slice(0, -1).split('. ')) expect(fact, comment).toMatch(factPattern);
  }
});

describe('facts about fields', () => {
  test.each([
    ['apps/v1', 'DeploymentSpec', 'selector', 'Required. Immutable.'],
    ['apps/v1', 'DeploymentSpec', 'progressDeadlineSeconds', 'Seconds. Default: 600.'],
    ['apps/v1', 'DeploymentStrategy', 'type', 'One of: Recreate, RollingUpdate. Default: RollingUpdate.'],
    ['apps/v1', 'RollingUpdateDeployment', 'maxSurge', 'Default: 25%.'],
    ['apps/v1', 'StatefulSetSpec', 'serviceName', 'Immutable.'],
    ['apps/v1', 'StatefulSetSpec', 'volumeClaimTemplates', 'Immutable. Atomic list.'],
    ['batch/v1', 'JobSpec', 'backoffLimit', 'Default: 6.'],
    // The template of a CronJob has the same type, and can change.
    ['batch/v1', 'JobSpec', 'managedBy', 'Immutable in Job.'],
    ['core/v1', 'Container', 'ports', 'Immutable in Pod, Job. List keyed by containerPort, protocol.'],
    ['core/v1', 'PodSpec', 'terminationGracePeriodSeconds', 'Seconds. Default: 30. Immutable in Pod, Job.'],
    ['core/v1', 'PersistentVolumeClaimSpec', 'storageClassName', 'Immutable in PersistentVolumeClaim.'],
    ['core/v1', 'ServicePort', 'protocol', 'One of: SCTP, TCP, UDP. Default: TCP.'],
    ['rbac/v1', 'RoleBinding', 'roleRef', 'Required. Immutable.'],
    ['scheduling/v1', 'PriorityClass', 'value', 'Immutable.'],
    ['storage/v1', 'StorageClass', 'provisioner', 'Required. Immutable.'],
  ])('%s %s.%s: %s', (module, type, field, comment) => {
    expect(commentsOf(module, type)[field]).toBe(comment);
  });

  test.each([
    // By the tag of the image.
    ['core/v1', 'Container', 'imagePullPolicy'],
    // By the port.
    ['core/v1', 'ServicePort', 'targetPort'],
    // By the name of the service account.
    ['core/v1', 'PodSpec', 'serviceAccount'],
    ['networking/v1', 'NetworkPolicySpec', 'policyTypes'],
  ])('%s %s.%s: no default, since it depends on other fields', (module, type, field) => {
    expect(commentsOf(module, type)[field] ?? '').not.toContain('Default');
  });

  test.each([
    // A bound claim of a class that allows expansion.
    ['core/v1', 'PersistentVolumeClaimSpec', 'resources'],
    // A pod that waits at its scheduling gates, and a suspended job.
    ['core/v1', 'PodSpec', 'nodeSelector'],
    // The subresource resize.
    ['core/v1', 'Container', 'resources'],
    ['batch/v1', 'JobSpec', 'template'],
    // A volume can get a secret for its expansion.
    ['core/v1', 'PersistentVolumeSpec', 'csi'],
    ['core/v1', 'CSIPersistentVolumeSource', 'controllerExpandSecretRef'],
  ])('%s %s.%s is not immutable, since it can be changed in some states', (module, type, field) => {
    expect(commentsOf(module, type)[field] ?? '').not.toContain('Immutable');
  });
});
