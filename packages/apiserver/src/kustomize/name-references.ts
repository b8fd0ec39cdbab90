import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDocuments } from '../client/read-manifests.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import type { BuiltObject } from './built-object.ts';
import { kustomizationError } from './kustomization.ts';

/** Where objects of a kind name objects of another kind. */
export interface NameReference {
  /** The kind that is named. */
  readonly kind: string;
  readonly fields: readonly {
    /** The kind that names. */
    readonly kind: string;
    /** The field, such as `roleRef/name`. It contains a name, or an object with a name and a namespace. Lists count item by item. */
    readonly path: string;
  }[];
}

const roleFields = [
  { kind: 'Role', path: 'rules/resourceNames' },
  { kind: 'ClusterRole', path: 'rules/resourceNames' },
];

/** Where the spec of pods is. */
const podSpecs = [
  { kind: 'Pod', path: 'spec' },
  { kind: 'CronJob', path: 'spec/jobTemplate/spec/template/spec' },
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].map((kind) => ({
    kind,
    path: 'spec/template/spec',
  })),
];

/** The fields of pods, whatever creates them. */
function podFields(...paths: readonly string[]): NameReference['fields'] {
  return podSpecs.flatMap(({ kind, path: spec }) => paths.map((each) => ({ kind, path: `${spec}/${each}` })));
}

/** What containers read their environment from, such as `envFrom/secretRef/name`. */
function environmentPaths(kind: 'configMap' | 'secret'): string[] {
  return ['containers', 'initContainers'].flatMap((list) => [
    `${list}/env/valueFrom/${kind}KeyRef/name`,
    `${list}/envFrom/${kind}Ref/name`,
  ]);
}

/** The references of kustomize that the objects of an operator use. */
const usualReferences: readonly NameReference[] = [
  {
    kind: 'ConfigMap',
    fields: [
      ...roleFields,
      ...podFields(
        'volumes/configMap/name',
        'volumes/projected/sources/configMap/name',
        ...environmentPaths('configMap'),
      ),
    ],
  },
  {
    kind: 'Secret',
    fields: [
      ...roleFields,
      ...podFields(
        'imagePullSecrets/name',
        'volumes/secret/secretName',
        'volumes/projected/sources/secret/name',
        ...environmentPaths('secret'),
      ),
    ],
  },
  { kind: 'PersistentVolumeClaim', fields: podFields('volumes/persistentVolumeClaim/claimName') },
  {
    kind: 'ServiceAccount',
    fields: [
      { kind: 'RoleBinding', path: 'subjects' },
      { kind: 'ClusterRoleBinding', path: 'subjects' },
      ...podFields('serviceAccountName'),
    ],
  },
  {
    kind: 'ValidatingAdmissionPolicy',
    fields: [{ kind: 'ValidatingAdmissionPolicyBinding', path: 'spec/policyName' }],
  },
  { kind: 'Role', fields: [{ kind: 'RoleBinding', path: 'roleRef' }] },
  {
    kind: 'ClusterRole',
    fields: [
      { kind: 'RoleBinding', path: 'roleRef' },
      { kind: 'ClusterRoleBinding', path: 'roleRef' },
    ],
  },
  {
    kind: 'Service',
    fields: [
      { kind: 'MutatingWebhookConfiguration', path: 'webhooks/clientConfig/service' },
      { kind: 'ValidatingWebhookConfiguration', path: 'webhooks/clientConfig/service' },
      { kind: 'CustomResourceDefinition', path: 'spec/conversion/webhook/clientConfig/service' },
    ],
  },
];

/**
 * Reads a file of `configurations`, of which only `nameReference` is supported.
 *
 * @throws {InstallError} when it cannot be read, or has anything else
 */
export async function readNameReferences(kustomization: string, name: string): Promise<NameReference[]> {
  const file = path.join(path.dirname(kustomization), name);
  const error = (problem: string, cause?: unknown) =>
    kustomizationError(kustomization, `configurations: ${file} ${problem}`, cause);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw error('cannot be read', cause);
  });
  const [value] = await parseDocuments(text, (detail, cause) => error(`is not YAML: ${detail}`, cause));
  const unsupported = () => error('has more than a list nameReference of kinds with fieldSpecs');
  if (!isObject(value) || Object.keys(value).join() !== 'nameReference') throw unsupported();
  return listOf(value['nameReference'], unsupported).map(({ kind, fieldSpecs }) => {
    if (typeof kind !== 'string') throw unsupported();
    const fields = listOf(fieldSpecs, unsupported).map((field) => {
      if (typeof field['kind'] !== 'string' || typeof field['path'] !== 'string') throw unsupported();
      return { kind: field['kind'], path: field['path'] };
    });
    return { kind, fields };
  });
}

function listOf(value: unknown, unsupported: () => Error): JsonObject[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw unsupported();
  return value;
}

/** Renames what objects name to what it is called now. Changes the objects. */
export function updateReferences(objects: readonly BuiltObject[], added: readonly NameReference[]): void {
  for (const { kind, fields } of [...usualReferences, ...added]) {
    const targets = objects.filter(({ object }) => object.kind === kind);
    for (const field of fields) {
      for (const { object } of objects) {
        if (object.kind === field.kind) updateAt(object, field.path.split('/'), targets);
      }
    }
  }
}

function updateAt(
  holder: JsonObject,
  [key = '', ...rest]: readonly string[],
  targets: readonly BuiltObject[],
): void {
  const value = holder[key];
  if (Array.isArray(value)) {
    holder[key] = value.map((item: unknown) => updated(item, rest, targets));
  } else if (value !== undefined) {
    holder[key] = updated(value, rest, targets);
  }
}

function updated(value: unknown, rest: readonly string[], targets: readonly BuiltObject[]): unknown {
  if (rest.length > 0) {
    if (isObject(value)) updateAt(value, rest, targets);
    return value;
  }
  if (!isObject(value)) {
    return targets.find(({ original }) => original.name === value)?.object.metadata.name ?? value;
  }
  const { kind, name, namespace } = value;
  const target = targets.find(
    ({ object, original }) =>
      original.name === name &&
      (kind === undefined || kind === object.kind) &&
      (namespace === undefined || namespace === original.namespace),
  );
  if (!target) return value;
  const { metadata } = target.object;
  return { ...value, name: metadata.name, ...(namespace !== undefined && { namespace: metadata.namespace }) };
}
