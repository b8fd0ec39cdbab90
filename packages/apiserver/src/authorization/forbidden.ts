import { goQuote } from 'ots-apimachinery/go/go-quote';
import { forbidden } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import { type Attributes, isPath } from './attributes.ts';

/** The refusal of a request that its user is not authorized for. @param reason why, in the words of the authorizer */
export function notAuthorized(attributes: Attributes, reason: string): StatusError {
  const problem = `${describe(attributes)}${reason === '' ? '' : `: ${reason}`}`;
  if (isPath(attributes)) return new StatusError(403, 'Forbidden', `forbidden: ${problem}`, {});
  const { group, resource, name } = attributes;
  return forbidden({ group, name: resource }, name, problem);
}

function describe(attributes: Attributes): string {
  const { user, verb } = attributes;
  const who = `User ${goQuote(user.name)} cannot ${verb}`;
  if (isPath(attributes)) return `${who} path ${goQuote(attributes.path)}`;
  const { group, resource, subresource, namespace } = attributes;
  const what = goQuote(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `${who} resource ${what} in API group ${goQuote(group)} ${where}`;
}
