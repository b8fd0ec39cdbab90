import { randomBytes } from 'node:crypto';
import { isSubdomain } from 'ots-apimachinery/names';

/**
 * A unique name for an event of the object: the name of the object and 16 hexadecimal digits. Objects of some kinds,
 * such as ClusterRoles, have names that events may not have; their events have only the digits.
 */
export function eventName(objectName: string): string {
  const unique = randomBytes(8).toString('hex');
  const name = `${objectName}.${unique}`;
  return isSubdomain(name) ? name : `event-${unique}`;
}
