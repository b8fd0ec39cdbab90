import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { groupBy } from 'ots-apimachinery/group-by';
import { groupTags } from '../tag-syntax/group-tags.ts';
import { definitionOf } from '../tag-syntax/registry.ts';
import { markConsumed } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { applyTagGroups } from '../schema-tags/apply-tags.ts';
import { withImmutableRules } from '../schema/immutable-rules.ts';
import { withNullableEnums } from '../schema/nullable-enums.ts';
import type { Schema } from '../schema/schema.ts';
import { maxSchemas, schemaSize } from '../schema/schema-size.ts';
import type { TypeEvaluator } from '../types/type-evaluator.ts';
import { checkVersions } from './check-versions.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from './custom-resource-definition.ts';
import { checkFileTags } from './file-tags.ts';
import { arrangeSelectableFields, checkSelectableVersions } from './selectable-versions.ts';
import { readKindTags } from './kind-tags.ts';
import type { KindTags } from './kind-tags.ts';
import type { Kind } from './kind.ts';
import { markedFields, reportUnreachable } from './marked-fields.ts';
import type { MarkedField } from './marked-fields.ts';

/** A version of a kind with what its CRD says about it. */
export interface KindVersion {
  readonly kind: Kind;
  readonly schema: Schema;
  readonly tags: KindTags;
  readonly fields: readonly MarkedField[];
}

/** The address of the project's webhook component. kustomize replaces the namespace. */
const conversionWebhook = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/convert' } },
    conversionReviewVersions: ['v1'],
  },
};
/** The versions differ only in apiVersion. Fields that a version does not define are lost in it. */
const none = { strategy: 'None' };

/**
 * Merges the versions of each kind into one CustomResourceDefinition.
 * @param kinds every version of every kind
 * @param converted the kinds, as `group/kind`, that a handler converts between versions
 * @returns the CRDs; a kind with errors, which are in the diagnostics, is left out
 */
export function buildCrds(
  kinds: readonly Kind[],
  evaluator: TypeEvaluator,
  converted: ReadonlySet<string>,
  diagnostics: Diagnostics,
): CustomResourceDefinition[] {
  const crds: CustomResourceDefinition[] = [];
  const fields: MarkedField[] = [];
  for (const [key, family] of groupBy(kinds, ({ group, kind }) => `${group}/${kind}`)) {
    const versions = family
      .map((kind) => evaluateVersion(kind, evaluator, diagnostics))
      .filter((version) => version !== undefined);
    fields.push(...versions.flatMap((version) => version.fields));
    if (versions.length < family.length || !checkVersions(versions, diagnostics)) continue;
    if (!checkSelectableVersions(versions, diagnostics)) continue;
    crds.push(buildCrd(versions, converted.has(key)));
  }
  reportUnreachable(fields, diagnostics);
  return crds;
}

function evaluateVersion(
  kind: Kind,
  evaluator: TypeEvaluator,
  diagnostics: Diagnostics,
): KindVersion | undefined {
  const { declaration } = kind;
  const evaluated = evaluator.evaluateKind(declaration);
  if (!evaluated) {
    markConsumed(declaration.doc.tags);
    return undefined;
  }
  if (schemaSize(evaluated) > maxSchemas) {
    const message = `the schema of ${kind.kind} has more than ${maxSchemas} properties`;
    const { module, nameSpan } = declaration;
    diagnostics.error(module.source, nameSpan, 'schema-size', message, 'embed fewer types');
    return undefined;
  }
  const groups = groupTags(declaration.doc.tags, 'kind', diagnostics);
  unmarkTypeTags(declaration.doc.tags);
  checkFileTags(kind, groups, diagnostics);
  const fields = markedFields(evaluated);
  const tagged = applyTagGroups(evaluated, groups, { diagnostics, optional: false, placement: 'kind' });
  const schema = withNullableEnums(withImmutableRules(tagged));
  return { kind, schema, tags: readKindTags(groups, fields, { kind, schema, diagnostics }), fields };
}

/** Marks tags that apply to types but not to kinds as unused again: on a kind they have no effect. */
function unmarkTypeTags(tags: readonly Tag[]): void {
  for (const tag of tags) {
    const places = definitionOf(tag)?.on;
    if (places?.includes('type') && !places.includes('kind')) tag.consumed = false;
  }
}

function buildCrd(versions: readonly KindVersion[], isConverted: boolean): CustomResourceDefinition {
  const { group, kind, plural, scope } = versions[0]!.kind;
  const sorted = versions.toSorted((a, b) => (a.kind.version < b.kind.version ? -1 : 1));
  const tags = sorted.map((version) => version.tags);
  const shortNames = [...new Set(tags.flatMap((own) => own.shortNames))];
  const categories = [...new Set(tags.flatMap((own) => own.categories))];
  const singular = tags.find((own) => own.singular)?.singular ?? kind.toLowerCase();
  const labels = new Map(tags.flatMap((own) => [...own.labels]));
  const selectable = arrangeSelectableFields(sorted);
  const annotations = new Map(tags.flatMap((own) => [...own.annotations]));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(labels.size > 0 ? { labels: Object.fromEntries(labels) } : {}),
      ...(annotations.size > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
    },
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
      versions: sorted.map((version, index) =>
        buildVersion(version, selectable[index]!, versions.length === 1),
      ),
      ...(isConverted ? { conversion: conversionWebhook } : versions.length > 1 ? { conversion: none } : {}),
    },
  };
}

function buildVersion(
  { kind, schema, tags }: KindVersion,
  selectableFields: readonly string[],
  isOnly: boolean,
): CustomResourceDefinitionVersion {
  const { status, scale, columns } = tags;
  const subresources = { ...(status ? { status: {} } : {}), ...(scale ? { scale } : {}) };
  return {
    name: kind.version,
    served: !tags.unserved,
    storage: isOnly || tags.storage !== undefined,
    ...(tags.deprecated === undefined ? {} : { deprecated: true }),
    ...(tags.deprecated ? { deprecationWarning: tags.deprecated } : {}),
    schema: { openAPIV3Schema: schema },
    ...(status || scale ? { subresources } : {}),
    ...(selectableFields.length > 0
      ? { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }
      : {}),
    ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
  };
}
