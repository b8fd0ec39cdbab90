import { protobufMessage } from 'ots-kubernetes/protobuf-messages';
import { type Resource, apiVersionOf, kindName } from './resource.ts';

/** An API kind as a body states it. */
export interface SentKind {
  apiVersion: string;
  kind: string;
}

/** Groups whose kinds kube-apiserver keeps apart from all others, and from each other. */
const separateGroups = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/**
 * Explains why an object of one kind does not belong to the built-in resource that it was sent to.
 *
 * @returns the words of a real server; undefined when the kinds are the same
 */
export function describeKindMismatch(sent: SentKind, resource: Resource): string | undefined {
  const { apiVersion, kind } = sent;
  const expected = apiVersionOf(resource);
  if (apiVersion === expected && kind === resource.kind) return undefined;
  const { group, version } = splitApiVersion(apiVersion);
  const cannotHandle = `${kind} in version "${version}" cannot be handled as a ${kindName(resource).name}: `;
  if (!isKnown(sent, resource)) {
    return `${cannotHandle}no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
  }
  // Other versions of a kind are converted first, so they cause no mismatch.
  if (kind === resource.kind && goPackage(group) === goPackage(resource.group)) {
    return `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
  }
  return `${cannotHandle}converting (${version}.${kind}) to (${goPackage(resource.group)}.${resource.kind}): unknown conversion`;
}

function isKnown({ apiVersion, kind }: SentKind, resource: Resource): boolean {
  return (
    schemeOf(splitApiVersion(apiVersion).group) === schemeOf(resource.group) &&
    protobufMessage(apiVersion, kind.replace(/List$/, '')) !== undefined
  );
}

function schemeOf(group: string): string {
  return separateGroups.has(group) ? group : '';
}

/** The Go package of a group's kinds inside of kube-apiserver. */
function goPackage(group: string): string {
  const [first = ''] = group.split('.');
  return first === '' || first === 'events' ? 'core' : first;
}

function splitApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}
