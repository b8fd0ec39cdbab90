import type { AdmissionAttributes } from './admission.ts';
import type { Resource } from './resource.ts';

/** The name of the object of a request. Empty for a name that the server has not generated yet. */
export function nameOf({ name, operation, object }: AdmissionAttributes): string {
  return name === '' && operation === 'CREATE' ? (object?.metadata.name ?? '') : name;
}

/** The namespace of a request. A request about a Namespace is in that namespace, unless the server generates its name. */
export function namespaceOf(attributes: AdmissionAttributes): string {
  const { resource, namespace } = attributes.target;
  return isNamespaces(resource) ? attributes.name : namespace;
}

export function isNamespaces({ group, plural }: Resource): boolean {
  return group === '' && plural === 'namespaces';
}

/** Whether a request is about the configuration of admission itself, which neither webhooks nor policies see. */
export function isAdmissionConfiguration({ target: { resource } }: AdmissionAttributes): boolean {
  return resource.group === 'admissionregistration.k8s.io';
}
