import { BuiltInStrategy } from './built-in-strategy.ts';
import { Store } from '../storage/store.ts';
import type { Resource } from './resource.ts';

const emptyTable = new Store({ changes: 0, characters: 0 }).createTable('');

/**
 * Describes a kind that clients send to an endpoint but that is never stored, such as Scale, as a resource for
 * those who decode bodies.
 */
export function bodyKind(
  group: string,
  version: string,
  kind: string,
  equivalentVersions: readonly string[] = [],
): Resource {
  return {
    equivalentVersions,
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
    table: emptyTable,
    strategy: new BuiltInStrategy({ group, version, kind, hasStatus: false }),
  };
}
