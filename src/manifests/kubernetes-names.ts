/**
 * What the API server takes for a name (k8s.io/apimachinery/pkg/util/validation). Labels of a domain may be longer than DNS allows, and
 * names that are made from a kind sometimes are.
 */
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME_PART = /^[A-Za-z0-9]([-\w.]*[A-Za-z0-9])?$/;

export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && SUBDOMAIN.test(text);
}

/** `[prefix/]name`, as keys of labels are. */
export function isQualifiedName(text: string): boolean {
  const parts = text.split('/');
  const name = parts.pop()!;
  return parts.length <= 1 && parts.every(isDnsSubdomain) && name.length <= 63 && NAME_PART.test(name);
}

export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= 63 && NAME_PART.test(text));
}
