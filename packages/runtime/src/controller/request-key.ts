import { keyText } from '../objects/object-key.ts';
import type { Request } from './reconciler.ts';

/**
 * The key of a request: `namespace/name`, and `cluster//namespace/name` in another cluster than the manager's. Names of clusters
 * may contain slashes, and those of objects may not, so the last `//` ends the name of the cluster.
 */
export function requestKey(request: Request): string {
  return request.cluster === undefined ? keyText(request) : `${request.cluster}//${keyText(request)}`;
}
