import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { groupBy } from '../group-by.ts';
import { excuse } from '../markers/tag.ts';
import type { Schema } from '../types/schema.ts';
import { MAX_SCHEMAS, schemaSize } from '../types/schema-size.ts';
import type { TypeEvaluator } from '../types/type-evaluator.ts';
import { checkVersions } from './check-versions.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from './custom-resource-definition.ts';
import { readKindTags } from './kind-tags.ts';
import type { KindTags } from './kind-tags.ts';
import type { Kind } from './kind.ts';

/** A version of a kind with everything its CRD says about it. */
export interface KindVersion {
  readonly kind: Kind;
  readonly schema: Schema;
  readonly tags: KindTags;
}

/** Where the webhook component of a project answers; kustomize replaces the namespace. */
const CONVERSION = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/convert' } },
    conversionReviewVersions: ['v1'],
  },
};

/**
 * Merges the versions of each kind into one CustomResourceDefinition.
 * @param kinds every version of every kind
 * @param converted the kinds, as `group/kind`, that a handler converts between versions
 * @returns the CRDs; a kind with errors, which are then among the diagnostics, is left out
 */
export function buildCrds(
  kinds: readonly Kind[],
  evaluator: TypeEvaluator,
  converted: ReadonlySet<string>,
  diagnostics: Diagnostics,
): CustomResourceDefinition[] {
  const crds: CustomResourceDefinition[] = [];
  for (const [key, family] of groupBy(kinds, ({ group, kind }) => `${group}/${kind}`)) {
    const versions = family
      .map((kind) => evaluateVersion(kind, evaluator, diagnostics))
      .filter((version) => version !== undefined);
    if (versions.length < family.length || !checkVersions(versions, diagnostics)) continue;
    crds.push(buildCrd(versions, converted.has(key)));
  }
  return crds;
}

function evaluateVersion(
  kind: Kind,
  evaluator: TypeEvaluator,
  diagnostics: Diagnostics,
): KindVersion | undefined {
  const { declaration, node } = kind;
  const schema = evaluator.evaluateKind(declaration, node);
  if (!schema) {
    excuse(declaration.doc.tags);
    return undefined;
  }
  if (schemaSize(schema) > MAX_SCHEMAS) {
    const message = `the schema of ${kind.kind} has more than ${MAX_SCHEMAS} properties`;
    diagnostics.error(
      declaration.module.source,
      declaration.nameSpan,
      'schema-size',
      message,
      'embed fewer types',
    );
    return undefined;
  }
  return { kind, schema, tags: readKindTags(kind, schema, diagnostics) };
}

function buildCrd(versions: readonly KindVersion[], isConverted: boolean): CustomResourceDefinition {
  const { group, kind, plural, scope } = versions[0]!.kind;
  const sorted = versions.toSorted((a, b) => (a.kind.version < b.kind.version ? -1 : 1));
  const shortNames = [...new Set(sorted.flatMap(({ tags }) => tags.shortNames))];
  const categories = [...new Set(sorted.flatMap(({ tags }) => tags.categories))];
  const singular = sorted.find(({ tags }) => tags.singular)?.tags.singular ?? kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(shortNames.length > 0 ? { shortNames } : {}),
        ...(categories.length > 0 ? { categories } : {}),
      },
      scope,
      versions: sorted.map((version) => buildVersion(version, versions.length === 1)),
      ...(isConverted ? { conversion: CONVERSION } : {}),
    },
  };
}

function buildVersion({ kind, schema, tags }: KindVersion, isOnly: boolean): CustomResourceDefinitionVersion {
  return {
    name: kind.version,
    served: !tags.unserved,
    storage: isOnly || tags.storage !== undefined,
    ...(tags.deprecated === undefined ? {} : { deprecated: true }),
    ...(tags.deprecated ? { deprecationWarning: tags.deprecated } : {}),
    schema: { openAPIV3Schema: schema },
    ...(tags.status ? { subresources: { status: {} } } : {}),
    ...(tags.columns.length > 0 ? { additionalPrinterColumns: tags.columns } : {}),
  };
}
