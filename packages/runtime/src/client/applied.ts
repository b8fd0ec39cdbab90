import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { isObject, own, sameJson } from '../objects/merge-patch.ts';

type Json = Readonly<Record<string, unknown>>;

/** Fields of every configuration that identify the object and are not in managedFields. */
const identity = new Set(['apiVersion', 'kind']);
const metadataIdentity = new Set(['name', 'namespace']);

/**
 * True if the object shows that applying the configuration would change nothing: the last apply of this owner to this
 * subresource left exactly the fields of the configuration, and each of them still has its value.
 *
 * It uses only managedFields and no schema. If that does not decide it, the result is false and costs a request.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export function isApplied(
  configuration: object,
  live: DeepReadonly<KubernetesObject>,
  owner: string,
  subresource: string | undefined,
): boolean {
  const entry = live.metadata.managedFields?.find(
    ({ manager, operation, subresource: of }) =>
      manager === owner && operation === 'Apply' && (of ?? '') === (subresource ?? ''),
  );
  const wanted = configuration as Json;
  if (!entry?.fieldsV1 || entry.fieldsType !== 'FieldsV1') return false;
  // Fields belong to one version of the kind; another version may name them differently.
  if (entry.apiVersion !== live.apiVersion || wanted['apiVersion'] !== live.apiVersion) return false;
  if (wanted['kind'] !== live.kind) return false;
  const metadata = without(own(wanted, 'metadata'), metadataIdentity);
  const fields: Json = {
    ...without(wanted, identity),
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
  };
  return isSame(entry.fieldsV1, fields, live);
}

/** @param fields the owned fields of `live`, as the members of one level of fieldsV1. */
function isSame(fields: Json, wanted: unknown, live: unknown): boolean {
  const members = Object.keys(fields).filter((member) => member !== '.');
  // Owned as a whole: a scalar, an atomic list or map, or an empty one.
  if (members.length === 0) return hasNoNull(wanted) && sameJson(wanted, live);
  if (isObject(wanted) && isObject(live)) return isSameObject(fields, members, wanted, live);
  if (Array.isArray(wanted) && Array.isArray(live)) return isSameList(fields, members, wanted, live);
  return false;
}

function isSameObject(fields: Json, members: readonly string[], wanted: Json, live: Json): boolean {
  const names = Object.keys(wanted).filter((name) => wanted[name] !== undefined);
  return (
    names.length === members.length &&
    names.every((name) => {
      const inner = own(fields, `f:${name}`);
      return isObject(inner) && Object.hasOwn(live, name) && isSame(inner, wanted[name], live[name]);
    })
  );
}

/** Lists whose items are identified by keys or values. The order of the items must also be equal. */
function isSameList(
  fields: Json,
  members: readonly string[],
  wanted: readonly unknown[],
  live: readonly unknown[],
): boolean {
  if (members.length !== wanted.length) return false;
  const pairs: [wantedIndex: number, liveIndex: number][] = [];
  for (const member of members) {
    const pair = pairOf(member, wanted, live);
    const inner = own(fields, member);
    if (!pair || !isObject(inner) || !isSame(inner, wanted[pair[0]], live[pair[1]])) return false;
    pairs.push(pair);
  }
  pairs.sort(([a], [b]) => a - b);
  return pairs.every(([wantedIndex, liveIndex], index) => {
    return wantedIndex === index && (index === 0 || liveIndex > pairs[index - 1]![1]);
  });
}

/** The indexes in both lists of the item that a member of fieldsV1 names; undefined if uncertain. */
function pairOf(
  member: string,
  wanted: readonly unknown[],
  live: readonly unknown[],
): [number, number] | undefined {
  const matches = matcherOf(member);
  if (!matches) return undefined;
  const wantedIndex = only(wanted, matches.wholly) ?? only(wanted, matches.partly);
  const liveIndex = only(live, matches.wholly);
  return wantedIndex === undefined || liveIndex === undefined ? undefined : [wantedIndex, liveIndex];
}

type Test = (item: unknown) => boolean;

/**
 * Matches the items that a member names. An item of a configuration may match partly, without a part of the key for
 * which the schema has a default, such as the protocol of a port. If the owner had set another value there before, it
 * would own that field, and the fields would differ.
 */
function matcherOf(member: string): { wholly: Test; partly: Test } | undefined {
  const key = parse(member.slice(2));
  if (member.startsWith('v:')) {
    const isIt: Test = (item) => sameJson(item, key);
    return { wholly: isIt, partly: isIt };
  }
  if (!member.startsWith('k:') || !isObject(key)) return undefined;
  const parts = Object.entries(key);
  return {
    wholly: (item) => isObject(item) && parts.every(([name, value]) => sameJson(own(item, name), value)),
    partly: (item) =>
      isObject(item) &&
      parts.every(([name, value]) => own(item, name) === undefined || sameJson(own(item, name), value)),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The index of the only item that matches. */
function only(list: readonly unknown[], matches: (item: unknown) => boolean): number | undefined {
  const first = list.findIndex(matches);
  return first >= 0 && list.findLastIndex(matches) === first ? first : undefined;
}

function without(value: unknown, names: ReadonlySet<string>): Json {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(([name, each]) => each !== undefined && !names.has(name)),
  );
}

/** Every version of the server interprets a null in a configuration differently. */
function hasNoNull(value: unknown): boolean {
  if (typeof value !== 'object') return true;
  return value !== null && Object.values(value).every(hasNoNull);
}
