import { apiGroup } from './names/api-group.ts';
import type { Resource } from './project.ts';

type KindIdentity = Pick<Resource, 'group' | 'domain' | 'kind'> & { readonly core?: boolean | undefined };
type Identity = KindIdentity & Pick<Resource, 'version'>;

/** Versions of one kind: they share plural, scope and CRD. */
export function isSameKind(a: KindIdentity, b: KindIdentity): boolean {
  return a.kind === b.kind && apiGroup(a) === apiGroup(b);
}

/** Whether two resources have the same group, domain, version and kind. */
export function isSameResource(a: Identity, b: Identity): boolean {
  return isSameKind(a, b) && a.version === b.version;
}

/** `batch.example.com/v1, Kind=JobWatcher`, as Kubernetes writes it. */
export function describeResource(resource: Identity): string {
  const group = apiGroup(resource);
  return `${group && `${group}/`}${resource.version}, Kind=${resource.kind}`;
}
