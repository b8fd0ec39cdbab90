import type { Schema } from '../schema/schema.ts';
import type { Report } from './finding.ts';

const droppedOnWrite = 'the next write drops them';

/**
 * Compares which fields an object may have: listed properties, the keys of a map, or any.
 * @returns whether both list properties that can be compared one by one
 */
export function compareShape(before: Schema, after: Schema, report: Report): boolean {
  const preservesUnknown = after['x-kubernetes-preserve-unknown-fields'] === true;
  if (before['x-kubernetes-preserve-unknown-fields'] && !preservesUnknown) {
    report(
      'preserve-unknown-fields-removed',
      `unknown fields were kept; ${droppedOnWrite}`,
      'keep @preserveUnknownFields',
    );
  }
  if (!before['x-kubernetes-embedded-resource'] && after['x-kubernetes-embedded-resource']) {
    report(
      'embedded-resource-added',
      'it must be a whole object now, with apiVersion and kind',
      'remove @embeddedResource',
    );
  }
  const hadProperties = (before.properties?.size ?? 0) > 0;
  if (hadProperties && after.additionalProperties) {
    const hint = 'keep the properties, and add the map as another property';
    report('object-shape-changed', 'it had named properties, and is a map of values of one type', hint);
    return false;
  }
  if (before.additionalProperties && !after.additionalProperties && !preservesUnknown) {
    const hint = 'keep the index signature, and add properties elsewhere';
    report(
      'object-shape-changed',
      `it was a map, and has named properties; of the other keys, ${droppedOnWrite}`,
      hint,
    );
    return false;
  }
  return true;
}
