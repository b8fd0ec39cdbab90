import type { Kind } from 'ots-kubernetes';
import { isApiError } from '../errors/api-error.ts';
import type { UnstructuredObject } from '../objects/unstructured.ts';
import type { Transport } from '../transport/transport.ts';
import { acceptAggregated, isAggregated, kindsOfAggregated } from './aggregated-discovery.ts';
import { discoveredKind } from './discovered.ts';

/** The versions of the core group, the group list, and the resources of one version: discovery before 1.26. */
interface ApiVersions {
  kind?: string;
  versions?: string[];
}
interface ApiGroupList {
  kind?: string;
  groups?: { name: string; preferredVersion?: { version: string }; versions?: { version: string }[] }[];
}
interface ApiResourceList {
  resources?: { name?: string; kind?: string; namespaced?: boolean }[] | null;
}

/**
 * Asks a server which kinds it has: groups in its order, and in each group the preferred version first.
 * @throws {ApiError}, {ConnectionError} if discovery fails.
 */
export async function discover(transport: Transport): Promise<Kind<UnstructuredObject>[]> {
  const get = <T>(path: string, accept?: string): Promise<T> =>
    transport.request<T>({ method: 'GET', path, accept, resource: 'discovery' });
  const [core, groups] = await Promise.all([
    get<ApiVersions>('/api', acceptAggregated),
    get<ApiGroupList>('/apis', acceptAggregated),
  ]);
  const coreKinds = isAggregated(core)
    ? kindsOfAggregated(core)
    : await kindsOfVersions(
        get,
        (core.versions ?? []).map((version) => ({ group: '', version })),
      );
  const groupKinds = isAggregated(groups)
    ? kindsOfAggregated(groups)
    : await kindsOfVersions(get, (groups.groups ?? []).flatMap(versionsOf));
  return [...coreKinds, ...groupKinds];
}

interface GroupVersion {
  group: string;
  version: string;
}

function versionsOf(group: NonNullable<ApiGroupList['groups']>[number]): GroupVersion[] {
  const preferred = group.preferredVersion?.version;
  const versions = (group.versions ?? []).map(({ version }) => version);
  const ordered = versions.toSorted((a, b) => Number(b === preferred) - Number(a === preferred));
  return ordered.map((version) => ({ group: group.name, version }));
}

async function kindsOfVersions(
  get: <T>(path: string) => Promise<T>,
  versions: readonly GroupVersion[],
): Promise<Kind<UnstructuredObject>[]> {
  const kinds = await Promise.all(
    versions.map(async ({ group, version }) => {
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const { resources } = await get<ApiResourceList>(path).catch((error: unknown): ApiResourceList => {
        // An extension server that is down hides its own kinds and no others.
        if (isApiError(error)) return {};
        throw error;
      });
      return (resources ?? []).flatMap(({ name, kind, namespaced = false }) =>
        discoveredKind({ group, version, kind, plural: name, namespaced }),
      );
    }),
  );
  return kinds.flat();
}
