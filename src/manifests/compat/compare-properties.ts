import { closestName } from 'ots-apimachinery/closest-name';
import type { Schema } from '../schema/schema.ts';
import { canonical } from './canonical.ts';
import type { Report } from './finding.ts';

type ReportProperty = (name: string, ...finding: Parameters<Report>) => void;

/** Compares the properties of objects, and which of them are required. */
export function compareProperties(before: Schema, after: Schema, report: ReportProperty): void {
  if (!after['x-kubernetes-preserve-unknown-fields']) reportRemoved(before, after, report);
  const was = new Set(before.required);
  for (const name of after.required ?? []) {
    // The API server applies defaults before it checks for missing properties.
    if (was.has(name) || after.properties?.get(name)?.default !== undefined) continue;
    if (before.properties?.has(name))
      report(
        name,
        'field-required',
        'it was optional, and is required; objects without it are rejected',
        'keep it optional (?), or give it a @default',
      );
    else
      report(
        name,
        'required-field-added',
        'it is new, and required; objects without it are rejected',
        'make it optional (?), or give it a @default',
      );
  }
}

function reportRemoved(before: Schema, after: Schema, report: ReportProperty): void {
  for (const [name, property] of before.properties ?? []) {
    if (after.properties?.has(name)) continue;
    const renamed = newName(name, property, before, after);
    report(
      name,
      'field-removed',
      'it was removed; the next write of an object silently drops its value',
      renamed === undefined
        ? 'keep it, deprecate it in its description, and remove it in a new version of the API'
        : `renamed to ${renamed}? keep both until a new version of the API`,
    );
  }
}

/** Returns the new property that may be the removed one under a different name. */
function newName(name: string, property: Schema, before: Schema, after: Schema): string | undefined {
  const added = [...(after.properties ?? [])].filter(([candidate]) => !before.properties?.has(candidate));
  const names = added.map(([candidate]) => candidate);
  const same = added.filter(([, candidate]) => canonical(candidate) === canonical(property));
  return closestName(name, names) ?? (same.length === 1 ? same[0]![0] : undefined);
}
