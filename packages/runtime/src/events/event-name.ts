import { isSubdomain } from 'ots-apimachinery/names';
import { uniqueDigits } from '../random/unique-digits.ts';

/**
 * A unique name for an event of the object: the name of the object and 16 hexadecimal digits. Objects of some kinds,
 * such as ClusterRoles, have names that events may not have; their events have only the digits.
 * @param random chooses the digits; see `uniqueDigits`.
 */
export function eventName(objectName: string, random?: () => number): string {
  const unique = uniqueDigits(random);
  const name = `${objectName}.${unique}`;
  return isSubdomain(name) ? name : `event-${unique}`;
}
