import type { KubernetesObject } from 'ots-kubernetes';
import type { ChangeState, ConditionState, ManagerState, ObjectState } from '../model/dev-state.ts';
import { managedFields } from './managed-fields.ts';

/** An object as JSON: what is not part of every object is unknown. */
export type AnyObject = KubernetesObject & Readonly<Record<string, unknown>>;

/** Describes an object for readers. @param changes its last changes, oldest first */
export function objectState(
  object: AnyObject,
  columns: ObjectState['columns'],
  changes: readonly ChangeState[],
): ObjectState {
  const { metadata } = object;
  const { namespace, deletionTimestamp, ownerReferences = [] } = metadata;
  return {
    uid: metadata.uid ?? '',
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace !== undefined && { namespace }),
    name: metadata.name ?? '',
    createdAt: metadata.creationTimestamp ?? '',
    ...(deletionTimestamp !== undefined && { deletedAt: deletionTimestamp }),
    isGone: false,
    resourceVersion: metadata.resourceVersion ?? '',
    owners: ownerReferences
      .toSorted((a, b) => Number(b.controller ?? false) - Number(a.controller ?? false))
      .map(({ uid }) => uid),
    finalizers: metadata.finalizers ?? [],
    columns,
    conditions: conditionsOf(object),
    managers: managersOf(metadata.managedFields ?? []),
    changes,
    object: shown(object),
  };
}

/** An object without managedFields; of a Secret, the values are masked. */
export function shown({ metadata, ...rest }: AnyObject): Readonly<Record<string, unknown>> {
  const { managedFields: _, annotations, ...kept } = metadata;
  if (rest.kind !== 'Secret') return { ...rest, metadata: { ...kept, ...(annotations && { annotations }) } };
  // kubectl apply copies the whole Secret into an annotation.
  return {
    ...rest,
    metadata: { ...kept, ...(annotations && { annotations: masked(annotations) }) },
    ...('data' in rest && { data: masked(rest['data']) }),
    ...('stringData' in rest && { stringData: masked(rest['stringData']) }),
  };
}

function masked(values: unknown): Record<string, string> {
  return Object.fromEntries(Object.keys(Object(values)).map((key) => [key, '***']));
}

function conditionsOf({ status }: AnyObject): ConditionState[] {
  const { conditions } = Object(status) as { conditions?: unknown };
  if (!Array.isArray(conditions)) return [];
  return conditions.flatMap((condition: unknown) => {
    const fields = Object(condition) as Record<string, unknown>;
    if (typeof fields['type'] !== 'string' || typeof fields['status'] !== 'string') return [];
    const { type, status: value } = fields;
    return [
      {
        type,
        status: value,
        ...textOf('reason', fields['reason']),
        ...textOf('message', fields['message']),
        ...textOf('changedAt', fields['lastTransitionTime']),
      },
    ];
  });
}

function textOf<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: string } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed key loses its name
  return (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as { [Key in Name]?: string };
}

function managersOf(entries: NonNullable<KubernetesObject['metadata']['managedFields']>): ManagerState[] {
  return entries.map(({ manager = '', operation = '', subresource, fieldsV1 }) => ({
    manager,
    operation,
    ...(subresource !== undefined && subresource !== '' && { subresource }),
    fields: managedFields(fieldsV1),
  }));
}
