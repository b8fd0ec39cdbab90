import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { Request } from './reconciler.ts';

/** The owner of the kind that controls the object, in whichever version the reference names it. */
export function ownerRequests(owner: Kind, { metadata }: DeepReadonly<KubernetesObject>): Request[] {
  const reference = metadata.ownerReferences?.find(
    ({ controller, kind, apiVersion }) =>
      controller === true && kind === owner.kind && groupOf(apiVersion) === owner.group,
  );
  if (!reference) return [];
  return [
    requestOf({ name: reference.name, namespace: owner.scope === 'Namespaced' ? metadata.namespace : '' }),
  ];
}

/** The request for the object of these metadata. */
export function requestOf({
  name = '',
  namespace,
}: {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}): Request {
  return namespace ? { name, namespace } : { name };
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
