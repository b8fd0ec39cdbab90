import type { ObjectMeta } from 'ots-kubernetes';
import type { PolicyRule } from 'ots-kubernetes/rbac/v1';
import { type Machinery, timestamp } from '../../registry/machinery.ts';
import { apiVersionOf, keyOf } from '../../registry/resource.ts';
import { bootstrapObjectsTable } from './bootstrap-objects-table.ts';

const rbac = 'rbac.authorization.k8s.io';
const flowControl = 'flowcontrol.apiserver.k8s.io';
/** In the order of the numbers in the table. */
const resources = [
  [rbac, 'clusterroles'],
  [rbac, 'clusterrolebindings'],
  [rbac, 'roles'],
  [rbac, 'rolebindings'],
  [flowControl, 'prioritylevelconfigurations'],
  [flowControl, 'flowschemas'],
] as const;
const usualMetadata = {
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
};

type Row = [
  number,
  string,
  string,
  Pick<ObjectMeta, 'labels' | 'annotations'> | null,
  Record<string, unknown>,
];

let readNodeRules: readonly PolicyRule[] | undefined;
/** Servers of one process share what never changes. */
let readRows: readonly Row[] | undefined;

/** The rules of the role `system:node` in a new cluster. The node authorizer uses them even after the role has changed. */
export function nodeRules(): readonly PolicyRule[] {
  if (!readNodeRules) {
    const line = /^\[0,"","system:node",.*$/m.exec(bootstrapObjectsTable)?.[0] ?? '';
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form of the generated table
    const row = JSON.parse(line) as Row;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form of the generated table
    readNodeRules = row[4]['rules'] as PolicyRule[];
  }
  return readNodeRules;
}

/** Stores the roles, bindings, flow schemas and priority levels that every new cluster has. */
export function storeBootstrapObjects(machinery: Machinery): void {
  const creationTimestamp = timestamp(machinery);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form of the generated table
  readRows ??= JSON.parse(`[${bootstrapObjectsTable.trim().replaceAll('\n', ',')}]`) as Row[];
  for (const [index, namespace, name, metadata, fields] of readRows) {
    const [group, plural] = resources[index] ?? [];
    const resource = machinery.registry.find(group ?? '', 'v1', plural ?? '');
    if (!resource) throw new Error(`the table of built-in resources lacks ${plural}`);
    resource.table.put(keyOf(resource, namespace, name), {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: {
        name,
        ...(namespace !== '' && { namespace }),
        uid: machinery.random.uuid(),
        creationTimestamp,
        ...(group === flowControl && { generation: 1 }),
        ...(metadata ?? usualMetadata),
      },
      ...withTimes(fields, creationTimestamp),
    });
  }
}

function withTimes(fields: Record<string, any>, lastTransitionTime: string): Record<string, unknown> {
  const conditions: object[] | undefined = fields['status']?.conditions;
  if (!conditions) return fields;
  return {
    ...fields,
    status: { conditions: conditions.map((condition) => ({ lastTransitionTime, ...condition })) },
  };
}
