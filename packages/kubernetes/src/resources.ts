import { resourceTable } from './resource-table.ts';

/** An endpoint below a resource, such as `status` or `scale`. */
export interface SubresourceEntry {
  name: string;
  verbs: string[];
  /** The kind that clients read and write there, if it is not that of the resource (`scale`: autoscaling/v1 Scale). */
  group: string;
  version: string;
  kind: string;
}

/** A built-in resource as discovery describes it. */
export interface ResourceEntry {
  group: string;
  version: string;
  kind: string;
  plural: string;
  singular: string;
  shortNames: string[];
  categories: string[];
  scope: 'Namespaced' | 'Cluster';
  verbs: string[];
  subresources: SubresourceEntry[];
  /** The module of this package with the kind, such as `apps/v1`. */
  module: string;
}

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];
type Row = (typeof resourceTable)[number][2][number];

/** Every built-in resource of kube-apiserver, in its order of groups and resources. */
export const resources: readonly ResourceEntry[] = resourceTable.flatMap(([group, version, rows]) =>
  rows.map((row) => readRow(group, version, row)),
);

function readRow(group: string, version: string, row: Row): ResourceEntry {
  const [plural, kind, scope, shortNames, categories, verbs, subresources] = row;
  return {
    group,
    version,
    kind,
    plural,
    // The only kind with a plural name.
    singular: kind === 'Endpoints' ? plural : kind.toLowerCase(),
    shortNames: words(shortNames),
    categories: words(categories),
    scope: scope === 'N' ? 'Namespaced' : 'Cluster',
    verbs: verbs === '*' ? [...allVerbs] : words(verbs),
    subresources: words(subresources).map((text) => readSubresource(text, { group, version, kind })),
    module: `${group === '' ? 'core' : group.split('.')[0]}/${version}`,
  };
}

function readSubresource(
  text: string,
  own: { group: string; version: string; kind: string },
): SubresourceEntry {
  const [head = '', verbs] = text.split(':');
  const [name = '', foreign] = head.split('=');
  const [kind = own.kind, version = own.version, group = own.group] = foreign?.split('/').toReversed() ?? [];
  return { name, verbs: verbs?.split(',') ?? [...subresourceVerbs], group, version, kind };
}

function words(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}
