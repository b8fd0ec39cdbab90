import { propertyPath } from '../property-path.ts';
import { originKey } from '../schema/origin.ts';
import type { Origin } from '../schema/origin.ts';
import type { Schema } from '../schema/schema.ts';
import { compareBounds } from './compare-bounds.ts';
import { compareConstraints } from './compare-constraints.ts';
import { compareLists } from './compare-lists.ts';
import { compareProperties } from './compare-properties.ts';
import { compareShape } from './compare-shape.ts';
import { compareTypes } from './compare-types.ts';
import { compareValues } from './compare-values.ts';
import type { Report } from './finding.ts';

/** A place in the objects of a kind. */
export interface Place {
  readonly path: string;
  /** The nearest known declaration. */
  readonly origin: Origin | undefined;
}

/**
 * Finds what a schema rejects, drops or defaults differently from the earlier schema. Accepting more is not a
 * finding.
 *
 * @param place where the schemas apply
 * @param report receives each finding and its place
 */
export function compareSchemas(
  before: Schema,
  after: Schema,
  place: Place,
  report: (place: Place, ...finding: Parameters<Report>) => void,
): void {
  const here: Place = { path: place.path, origin: after[originKey] ?? place.origin };
  const reportHere: Report = (...finding) => report(here, ...finding);
  // If the types differ, nothing else can be compared.
  if (!compareTypes(before, after, reportHere)) return;
  for (const compare of [compareValues, compareBounds, compareConstraints, compareLists])
    compare(before, after, reportHere);
  const child = (path: string, schema: Schema | undefined): Place => ({
    path,
    origin: schema?.[originKey] ?? here.origin,
  });
  if (compareShape(before, after, reportHere)) {
    compareProperties(before, after, (name, ...finding) =>
      report(child(propertyPath(here.path, name), after.properties?.get(name)), ...finding),
    );
    for (const [name, property] of before.properties ?? []) {
      const now = after.properties?.get(name);
      if (now) compareSchemas(property, now, child(propertyPath(here.path, name), now), report);
    }
  }
  if (before.items && after.items)
    compareSchemas(before.items, after.items, child(`${here.path}[]`, after.items), report);
  if (before.additionalProperties && after.additionalProperties) {
    const values = after.additionalProperties;
    compareSchemas(before.additionalProperties, values, child(`${here.path}.*`, values), report);
  }
}
