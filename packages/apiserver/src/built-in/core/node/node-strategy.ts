import type { Node } from 'ots-kubernetes/core/v1';
import type { FieldError } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { roundResources } from '../../pods/round-resources.ts';
import { validateNode, validateNodeUpdate } from './validate-node.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** Nodes: the client that registers a node also sets its status. */
export class NodeStrategy extends BuiltInStrategy {
  override setDefaults(object: BuiltInObject<Node>): void {
    const { spec = {}, status = {} } = object;
    alignPodCidrs(spec);
    if (status.capacity) status.allocatable ??= { ...status.capacity };
    roundResources(status.capacity);
    roundResources(status.allocatable);
  }

  /** Until a controller marks the node as ready, no pod should run there: a real server's admission adds the taint. */
  override prepareForCreate(object: BuiltInObject<Node>): void {
    const spec = (object.spec ??= {});
    delete spec.configSource;
    delete object.status?.config;
    const { taints = [] } = spec;
    const isTainted = taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect);
    if (!isTainted) spec.taints = [...taints, { ...notReady }];
  }

  override prepareForUpdate(object: BuiltInObject<Node>, old: BuiltInObject<Node>): void {
    super.prepareForUpdate(object, old);
    if (!old.spec?.configSource) delete object.spec?.configSource;
  }

  override validate(object: BuiltInObject<Node>): FieldError[] {
    return validateNode(object);
  }

  override validateUpdate(object: BuiltInObject<Node>, old: BuiltInObject<Node>): FieldError[] {
    return [...validateNode(object), ...validateNodeUpdate(object, old)];
  }

  override warningsFor({ spec = {} }: BuiltInObject<Node>): string[] {
    return warningsForSpec(spec);
  }

  override validateStatusUpdate(object: BuiltInObject<Node>, old: BuiltInObject<Node>): FieldError[] {
    return validateNodeUpdate(object, old);
  }
}

/** Warnings for the writer of a node. */
function warningsForSpec({ configSource, externalID }: NonNullable<Node['spec']>): string[] {
  return [
    ...(configSource ? ['spec.configSource: the feature is removed'] : []),
    ...(externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
  ];
}

/** The older field holds the first range, and wins if they differ. Changes `spec`. */
function alignPodCidrs(spec: NonNullable<Node['spec']>): void {
  const { podCIDR, podCIDRs = [] } = spec;
  if (podCIDR && podCIDRs[0] !== podCIDR) spec.podCIDRs = [podCIDR];
  else if (podCIDRs[0]) spec.podCIDR = podCIDRs[0];
}
