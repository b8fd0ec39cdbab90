import { randomBytes } from 'node:crypto';

// https://kubernetes.io/docs/concepts/overview/working-with-objects/names (RFC 1123 subdomain)
const namePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const longestName = 253;

/**
 * A name for an event of the object that nobody else uses: the name of the object and 16 hexadecimal digits. Objects
 * of some kinds, such as ClusterRoles, have names that events may not have; their events have only the digits.
 */
export function eventName(objectName: string): string {
  const unique = randomBytes(8).toString('hex');
  const name = `${objectName}.${unique}`;
  return name.length <= longestName && namePattern.test(name) ? name : `event-${unique}`;
}
