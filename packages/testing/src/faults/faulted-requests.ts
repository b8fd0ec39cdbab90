import type { FaultSelection, Faults } from 'ots-apiserver';
import { type Identity, userOf } from '../requests/user-of.ts';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';
import { checkFields } from './check-fields.ts';

/** The verbs of requests, as RBAC names them. */
const requestVerbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
] as const;

/** What a request does with objects, as RBAC names it. */
export type FaultedVerb = (typeof requestVerbs)[number];

/** Which requests a fault changes: those for which all of this is true. Default: all requests. */
export interface FaultedRequests {
  /** As RBAC names them, such as `update`. Default: all that the fault can change. */
  readonly verbs?: readonly FaultedVerb[];
  /**
   * The plural, such as `deployments` for the objects themselves and `deployments/status` for a subresource. A group may follow, such
   * as `deployments.apps` or `deployments/status.apps`. Default: all paths, also those outside of resources such as `/version`.
   */
  readonly resource?: string;
  /** Of the object. Requests that create an object, or delete a collection, have none. Default: all. */
  readonly name?: string;
  /** Default: all. */
  readonly namespace?: string;
  /** Who sends them: an identity, or a name such as `system:serviceaccount:system:controller-manager`. Default: all. */
  readonly user?: string | Identity;
  /** How many requests. Default: all, until the fault is removed. */
  readonly times?: number;
}

const fields = [
  'verbs',
  'resource',
  'name',
  'namespace',
  'user',
  'times',
] satisfies (keyof FaultedRequests)[];
const verbsWithoutName: readonly FaultedVerb[] = ['create', 'deletecollection'];

/**
 * Which requests a fault changes, as the server knows it.
 *
 * @param possible the verbs that the fault can change; undefined for all requests
 * @throws {TestEnvironmentError} when it can never be a request of this server
 */
export function selectionOf(
  requests: FaultedRequests,
  possible: readonly FaultedVerb[] | undefined,
  server: Faults,
): FaultSelection {
  const { resource, name, namespace, user, times } = requests;
  checkFields('the requests of a fault', requests, fields);
  if (times !== undefined && !(Number.isInteger(times) && times > 0))
    throw new TestEnvironmentError(
      `A fault cannot change ${times} requests`,
      'Set times to a positive integer.',
    );
  const verbs: readonly string[] | undefined = requests.verbs ?? possible;
  if (requests.verbs) checkVerbs(requests.verbs, possible);
  const wanted = resource === undefined ? undefined : servedResource(resource, server);
  const unnamed = requests.verbs?.find((verb) => verbsWithoutName.includes(verb));
  if (name !== undefined && unnamed !== undefined && !wanted?.subresource)
    throw new TestEnvironmentError(
      `A request with the verb ${unnamed} has no name in its path`,
      'Leave out name, and select by namespace or user.',
    );
  const userName = typeof user === 'object' ? userOf(user) : user;
  return {
    times,
    selects: (asked) =>
      (verbs === undefined || verbs.includes(asked.verb)) &&
      is(wanted?.resource, asked.resource) &&
      is(wanted?.subresource, asked.subresource) &&
      is(wanted?.group, asked.group) &&
      is(name, asked.name) &&
      is(namespace, asked.namespace) &&
      is(userName, asked.user),
  };
}

function is(value: string | undefined, actual: string): boolean {
  return value === undefined || value === actual;
}

function checkVerbs(verbs: readonly FaultedVerb[], possible: readonly FaultedVerb[] | undefined): void {
  const unknown = verbs.find((verb) => !requestVerbs.includes(verb));
  if (unknown !== undefined || verbs.length === 0)
    throw new TestEnvironmentError(
      `${JSON.stringify(unknown ?? verbs)} is not a verb`,
      `Use some of ${requestVerbs.join(', ')}.`,
    );
  const unchanged = verbs.find((verb) => possible && !possible.includes(verb));
  if (possible && unchanged !== undefined)
    throw new TestEnvironmentError(
      `The fault does not change requests with the verb ${unchanged}`,
      `Select ${possible.join(', ')}, or leave out verbs.`,
    );
}

interface WantedResource {
  group: string | undefined;
  resource: string;
  subresource: string;
}

/** @param text such as `deployments/status.apps` */
function servedResource(text: string, server: Faults): WantedResource {
  const [, resource = '', subresource = '', group] = /^([^./]+)(?:\/([^.]+))?(?:\.(.*))?$/.exec(text) ?? [];
  const wanted = { group, resource, subresource };
  if (server.serves(wanted)) return wanted;
  throw new TestEnvironmentError(
    `The server serves no resource ${JSON.stringify(text)}`,
    "Use its plural, such as 'deployments', 'deployments.apps' or 'deployments/status', and install its definition first.",
  );
}
