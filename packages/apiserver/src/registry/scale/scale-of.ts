import type { ExactInteger } from '../../json/exact-integer.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { StatusError } from '../../status/status-error.ts';
import type { Resource } from '../resource.ts';
import { ScalePathError, type ScaleShape, integerAt } from './scale-shape.ts';

/** The result of {@link scaleOf}. */
export interface Scaled {
  scale: ApiObject;
  /** Whether the object states its desired replicas. */
  hasReplicas: boolean;
}

/**
 * The Scale of an object.
 *
 * @throws {StatusError} 500 when a custom resource has something other than numbers for its replicas
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
    // Zero replicas are omitted.
    spec: { ...(wanted !== undefined && wanted !== 0 && { replicas: asInt32(wanted) }) },
    status: {
      replicas: asInt32(there),
      ...(selector !== '' && { selector }),
    },
  };
  // Built-in kinds state everything: Go omits zeros.
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

/** Scale has 32-bit integers: larger ones are truncated to their low bits. */
function asInt32(value: ExactInteger): number {
  return Number(BigInt.asIntN(32, BigInt(value)));
}
