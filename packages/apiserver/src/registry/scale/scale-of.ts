import type { ExactInteger } from '../../json/exact-integer.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { StatusError } from '../../status/status-error.ts';
import type { Resource } from '../resource.ts';
import { ScalePathError, type ScaleShape, integerAt } from './scale-shape.ts';

/** What {@link scaleOf} found. */
export interface Scaled {
  scale: ApiObject;
  /** Whether the object says how many replicas it wants. */
  hasReplicas: boolean;
}

/**
 * The Scale of an object.
 *
 * @throws {StatusError} 500 when an object of a custom resource has no numbers where they should be
 */
export function scaleOf({ custom }: Resource, shape: ScaleShape, object: ApiObject): Scaled {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { wanted, there, selector } = read(shape, object);
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    // No replicas are none that are written.
    spec: { ...(wanted !== undefined && wanted !== 0 && { replicas: asInt32(wanted) }) },
    status: {
      replicas: asInt32(there),
      ...(selector !== '' && { selector }),
    },
  };
  // Of a built-in kind everything is there: what Go does not write is nothing.
  return { scale, hasReplicas: !custom || wanted !== undefined };
}

function read(
  shape: ScaleShape,
  object: ApiObject,
): { wanted: ExactInteger | undefined; there: ExactInteger; selector: string } {
  try {
    return {
      wanted: integerAt(object, shape.specReplicas),
      there: integerAt(object, shape.statusReplicas) ?? 0,
      selector: shape.selectorOf(object),
    };
  } catch (error) {
    if (error instanceof ScalePathError) throw new StatusError(500, undefined, error.message);
    throw error;
  }
}

/** A Scale has numbers of 32 bits: larger ones lose their first ones. */
function asInt32(value: ExactInteger): number {
  return Number(BigInt.asIntN(32, BigInt(value)));
}
