import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { AdmissionRequest } from './admission-review.ts';
import { BadReviewError } from './read-review.ts';

/**
 * The object of the request, or the one that it replaces or deletes.
 * @throws {BadReviewError} when it is missing or of another kind: the webhook configuration has wrong rules.
 */
export function objectOf<T extends KubernetesObject>(
  request: AdmissionRequest,
  field: 'object' | 'oldObject',
  kind: Kind<T>,
): T {
  const object = request[field];
  if (object?.kind === kind.kind && object.apiVersion === kind.apiVersion) return object as T;
  const expected = `expected ${kind.apiVersion} ${kind.kind} as ${field}`;
  throw new BadReviewError(400, `${expected}, got ${found(object)}${advice(request, object, kind)}`);
}

function found(object: KubernetesObject | null | undefined): string {
  return object ? `${object.apiVersion} ${object.kind}` : 'nothing';
}

/** What to change in the webhook configuration, which is nearly always the cause. */
function advice({ subResource }: AdmissionRequest, object: unknown, kind: Kind): string {
  const { kind: name, apiVersion } = (object ?? {}) as Partial<KubernetesObject>;
  if (name === kind.kind && apiVersion?.split('/')[0] === kind.group) {
    return (
      `: let the rules of the webhook name version ${kind.version} only, ` +
      'and matchPolicy Equivalent makes the API server convert the others'
    );
  }
  return subResource ? `: leave the subresource ${subResource} out of the rules of the webhook` : '';
}
