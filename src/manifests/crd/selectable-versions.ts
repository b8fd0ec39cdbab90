import { isDeepStrictEqual } from 'node:util';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import { schemaToJson } from '../schema/schema-json.ts';
import type { KindVersion } from './build-crds.ts';

/**
 * Checks that the API server accepts the selectable fields of all versions together. It moves fields and
 * schemas that are the same in all versions to another place, separately from each other. Then the schemas
 * are missing where the fields are, or the other way around.
 * @returns whether it accepts them; if not, the error is in the diagnostics
 */
export function checkSelectableVersions(versions: readonly KindVersion[], diagnostics: Diagnostics): boolean {
  if (versions.every(({ tags }) => tags.selectableFields.length === 0)) return true;
  const sameFields = haveSameFields(versions);
  if (
    sameFields === haveSameSchema(versions) ||
    (sameFields && versions[0]!.tags.selectableFields.length > 1)
  )
    return true;
  const { kind, declaration } = versions[0]!.kind;
  const message = sameFields
    ? `all versions of ${kind} have the same selectable field, which the API server accepts only if their schemas are the same`
    : `the versions of ${kind} have the same schema but other selectable fields, which the API server does not accept`;
  const hint = sameFields
    ? 'make it selectable in one version only, or another field too'
    : 'make the same fields selectable in all versions';
  diagnostics.error(declaration.module.source, declaration.nameSpan, 'selectable-fields', message, hint);
  return false;
}

/**
 * Returns the selectable fields of each version. If they are the same while the schemas differ, a different
 * order keeps the API server from moving them (see above). The order has no meaning.
 */
export function arrangeSelectableFields(versions: readonly KindVersion[]): (readonly string[])[] {
  const fields = versions.map(({ tags }) => tags.selectableFields);
  if (versions.length < 2 || !haveSameFields(versions)) return fields;
  const sorted = fields.map((paths) => paths.toSorted());
  return haveSameSchema(versions)
    ? sorted
    : sorted.map((paths, index) => (index === 0 ? paths.toReversed() : paths));
}

function haveSameFields(versions: readonly KindVersion[]): boolean {
  return areEqual(versions.map(({ tags }) => tags.selectableFields.toSorted()));
}

function haveSameSchema(versions: readonly KindVersion[]): boolean {
  const toJson = schemaToJson();
  return areEqual(versions.map(({ schema }) => JSON.parse(JSON.stringify(toJson(schema))) as unknown));
}

function areEqual(values: readonly unknown[]): boolean {
  return values.every((value) => isDeepStrictEqual(value, values[0]));
}
