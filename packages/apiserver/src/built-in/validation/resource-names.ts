import { qualifiedName } from 'ots-apimachinery/names';

const containerResources = new Set(['cpu', 'memory', 'ephemeral-storage']);
const counted = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const measured = new Set([
  ...containerResources,
  ...['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'storage',
  'requests.storage',
]);

/** Whether Kubernetes defines a resource of this name, for containers or quotas. */
export function isStandardResource(name: string): boolean {
  return counted.has(name) || measured.has(name) || /^(requests\.)?hugepages-/.test(name);
}

/** Whether containers can request it in any cluster. */
export function isContainerResource(name: string): boolean {
  return containerResources.has(name) || isHugePages(name);
}

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Whether the name belongs to Kubernetes: it has no prefix, or that of kubernetes.io. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** Whether it is an extended resource, such as one of a device plugin. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return qualifiedName(`requests.${name}`).length === 0;
}

/** Whether limits may exceed requests. */
export function canBeOvercommitted(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** Whether quantities must be integers. */
export function isWholeResource(name: string): boolean {
  return counted.has(name) || isExtendedResource(name);
}
