import type { HttpRequest } from '../http/http-message.ts';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { ResourceAttributes } from './attributes.ts';
import { notAuthorized } from './forbidden.ts';
import type { Authorizer } from './authorizer.ts';
import { badRequest } from '../status/errors.ts';
import {
  type UserInfo,
  anonymous,
  authenticatedGroup,
  serviceAccountGroups,
  serviceAccountOf,
  unauthenticatedGroup,
} from '../authentication/user-info.ts';

const prefix = 'impersonate-';
const extraPrefix = `${prefix}extra-`;

/** The identity that a client asks for. Texts are empty where it asks for nothing. */
interface AskedIdentity {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * The user that a request acts as: the client, or the user that its `Impersonate-` headers name.
 *
 * @throws {StatusError} 403 when the client may not act as that user, 400 for headers without a user
 */
export function impersonate(client: UserInfo, incoming: HttpRequest, authorizer: Authorizer): UserInfo {
  if (!asksForIdentity(incoming)) return client;
  const asked = readIdentity(incoming);
  if (isEmpty(asked)) return client;
  if (asked.name === '') throw badRequest(`requested ${inGo(asked)} without impersonating a user name`);
  for (const attributes of permissionsFor(client, asked)) {
    const { allowed, reason } = authorizer.authorize(attributes);
    if (!allowed) throw notAuthorized(attributes, reason);
  }
  const { name, uid, extra } = asked;
  return {
    name,
    groups: groupsOf(asked),
    ...(uid !== '' && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function asksForIdentity({ headers }: HttpRequest): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true;
  return false;
}

function readIdentity({ headersDistinct }: HttpRequest): AskedIdentity {
  const values = (name: string) => headersDistinct[prefix + name] ?? [];
  const extra = Object.entries(headersDistinct)
    .filter(([name]) => name.startsWith(extraPrefix))
    .map(([name, list = []]) => [unescape(name.slice(extraPrefix.length)), list]);
  return {
    name: values('user')[0] ?? '',
    uid: values('uid')[0] ?? '',
    groups: values('group'),
    extra: Object.fromEntries(extra),
  };
}

function isEmpty({ name, uid, groups, extra }: AskedIdentity): boolean {
  return name === '' && uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

/** Keys may be escaped as in URLs, because names of headers have few characters. */
function unescape(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** What the client must be allowed to do: impersonate each part of the identity. */
function permissionsFor(client: UserInfo, { name, uid, groups, extra }: AskedIdentity): ResourceAttributes[] {
  const of = (
    resource: string,
    value: string,
    rest: Partial<ResourceAttributes> = {},
  ): ResourceAttributes => ({
    user: client,
    verb: 'impersonate',
    group: '',
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name: value,
    ...rest,
  });
  const authentication = { group: 'authentication.k8s.io' };
  const account = serviceAccountOf(name);
  return [
    account ? of('serviceaccounts', account.name, { namespace: account.namespace }) : of('users', name),
    ...groups.map((group) => of('groups', group)),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => of('userextras', value, { subresource: key, ...authentication })),
    ),
    ...(uid === '' ? [] : [of('uids', uid, authentication)]),
  ];
}

/** ServiceAccounts have the groups of their namespace, unless the client asks for groups. */
function groupsOf({ name, groups }: AskedIdentity): string[] {
  const account = serviceAccountOf(name);
  const asked = groups.length === 0 && account ? serviceAccountGroups(account.namespace) : groups;
  const usual = name === anonymous.name ? unauthenticatedGroup : authenticatedGroup;
  return asked.includes(authenticatedGroup) || asked.includes(unauthenticatedGroup)
    ? [...asked]
    : [...asked, usual];
}

/** The identity as Go's `%#v` prints it. */
function inGo({ uid, groups, extra }: AskedIdentity): string {
  const entries = Object.entries(extra).map(([key, values]) => `${goQuote(key)}:${listInGo(values)}`);
  const groupsText = groups.length === 0 ? '[]string(nil)' : listInGo(groups);
  const extraText =
    entries.length === 0
      ? 'map[string][]string(nil)'
      : `map[string][]string{${entries.toSorted().join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${groupsText}, Extra:${extraText}}`;
}

function listInGo(values: readonly string[]): string {
  return `[]string{${values.map(goQuote).join(', ')}}`;
}
