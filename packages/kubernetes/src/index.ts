export type { Condition } from './condition.ts';
export { InvalidKindError } from './invalid-kind-error.ts';
export { type Kind, type KindDefinition, defineKind } from './kind.ts';
export type { KubernetesObject } from './kubernetes-object.ts';
export type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object-meta.ts';
export type {
  Duration,
  IntOrString,
  MicroTime,
  Quantity,
  Time,
  double,
  float,
  int32,
  int64,
} from './scalars.ts';
