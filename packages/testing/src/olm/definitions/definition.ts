import type { Kind } from 'ots-kubernetes';
import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { type Schema, object, text } from './schema.ts';

/** One version of a kind. */
export interface DefinedVersion {
  readonly name: string;
  readonly spec: Schema;
  readonly status?: Schema;
  /** Default: those fields that a `kubectl get` shows by itself. */
  readonly columns?: readonly Column[];
  /** What must be there beside the metadata. Default none. */
  readonly required?: readonly string[];
}

/** A column of `kubectl get`: name, type and path. */
type Column = readonly [name: string, type: string, jsonPath: string];

/** Defines a kind. The first version is the stored one; all are served. */
export function definition(
  { group, kind, plural, scope }: Pick<Kind, 'group' | 'kind' | 'plural' | 'scope'>,
  versions: readonly DefinedVersion[],
  names: { readonly shortNames?: string[]; readonly categories?: string[] } = {},
): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`, ...names },
      scope,
      versions: versions.map(({ name, columns = [], ...parts }, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: wholeSchema(parts) },
        subresources: { status: {} },
        additionalPrinterColumns: columns.map(([title, type, jsonPath]) => ({ name: title, type, jsonPath })),
      })),
    },
  };
}

function wholeSchema({
  spec,
  status,
  required = [],
}: Pick<DefinedVersion, 'spec' | 'status' | 'required'>): Schema {
  const metadata = { type: 'object' };
  return object({ apiVersion: text, kind: text, metadata, spec, ...(status && { status }) }, [
    'metadata',
    ...required,
  ]);
}
