import { BuiltInStrategy } from './built-in-strategy.ts';
import { Store } from '../storage/store.ts';
import type { Resource } from './resource.ts';

const nowhere = new Store({ changes: 0, characters: 0 }).createTable();

/** A kind that is sent to an endpoint and never stored, such as Scale: as a resource, for those who read bodies. */
export function bodyKind(
  group: string,
  version: string,
  kind: string,
  twinVersions: readonly string[] = [],
): Resource {
  return {
    twinVersions,
    group,
    version,
    kind,
    plural: '',
    singular: '',
    listKind: '',
    shortNames: [],
    categories: [],
    scope: 'Namespaced',
    verbs: [],
    subresources: [],
    custom: false,
    table: nowhere,
    strategy: new BuiltInStrategy({ group, version, kind, hasStatus: false }),
  };
}
