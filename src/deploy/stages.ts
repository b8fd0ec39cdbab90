import type { UnstructuredObject } from 'ots-runtime';
import { type Kinds, isDefinition } from './cluster.ts';
import { groupOf } from './object-name.ts';

/** The order in which objects are applied. They are deleted in the opposite order, but for definitions. */
const order = [
  'namespaces',
  'definitions',
  'accounts',
  'access',
  'configuration',
  'workloads',
  'admission',
  'custom',
] as const;

/** A group of objects that need only those of earlier stages. */
export type Stage = (typeof order)[number];

const workloads = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob', 'Pod']);

/**
 * Sorts objects into stages, each in the order in which they came. Admission comes after the workloads that serve it: a webhook with
 * `failurePolicy: Fail` and nothing behind it would refuse what it is about. Objects of the kinds that the definitions define come
 * last, because those webhooks decide about them.
 */
export function stagesOf(
  objects: readonly UnstructuredObject[],
  kinds: Pick<Kinds, 'isDefined'>,
): [Stage, UnstructuredObject[]][] {
  const stages = new Map<Stage, UnstructuredObject[]>(order.map((stage) => [stage, []]));
  for (const object of objects) stages.get(stageOf(object, kinds))!.push(object);
  return [...stages];
}

function stageOf(object: UnstructuredObject, kinds: Pick<Kinds, 'isDefined'>): Stage {
  const group = groupOf(object.apiVersion);
  if (group === '' && object.kind === 'Namespace') return 'namespaces';
  if (isDefinition(object)) return 'definitions';
  if (group === '' && object.kind === 'ServiceAccount') return 'accounts';
  if (group === 'rbac.authorization.k8s.io') return 'access';
  if (group === 'admissionregistration.k8s.io') return 'admission';
  if (kinds.isDefined(object)) return 'custom';
  return ['', 'apps', 'batch'].includes(group) && workloads.has(object.kind) ? 'workloads' : 'configuration';
}
