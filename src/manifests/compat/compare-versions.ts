import { originKey } from '../schema/origin.ts';
import { canonical } from './canonical.ts';
import type { ComparedCrd, ComparedVersion } from './compared-crd.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { Finding, Report } from './finding.ts';

/** Compares each version of a kind with the version of the same name. */
export function compareVersions(before: ComparedCrd, after: ComparedCrd): Finding[] {
  const findings: Finding[] = [];
  const { kind } = before.spec.names;
  for (const old of before.spec.versions) {
    const now = after.spec.versions.find(({ name }) => name === old.name);
    const nearest = now ?? after.spec.versions[0];
    const place = { path: '', origin: nearest?.schema.openAPIV3Schema[originKey] };
    const base = { kind, version: old.name };
    const report: Report = (code, message, hint, origin = place.origin) => {
      findings.push({ ...base, code, message, hint, origin });
    };
    if (!now) {
      reportRemoved(old, report);
      continue;
    }
    reportUse(old, now, report);
    // A version that is neither served nor stored has no users.
    if (!old.served && !old.storage) continue;
    compareSchemas(old.schema.openAPIV3Schema, now.schema.openAPIV3Schema, place, (at, ...finding) => {
      const [code, message, hint, origin = at.origin] = finding;
      findings.push({ ...base, ...(at.path === '' ? {} : { path: at.path }), code, message, hint, origin });
    });
  }
  return findings;
}

function reportRemoved(old: ComparedVersion, report: Report): void {
  if (old.storage) {
    report(
      'stored-version-removed',
      'the storage version was removed; the API server rejects this while it has objects',
      'keep it, with @unserved if necessary, until all objects are stored in another version',
    );
  } else if (old.served) {
    report(
      'version-removed',
      'the version was removed; its clients fail',
      'keep serving it; @deprecated warns its users',
    );
  }
}

/** Compares what clients can do with a version besides reading and writing its fields. */
function reportUse(old: ComparedVersion, now: ComparedVersion, report: Report): void {
  if (old.served && !now.served)
    report(
      'version-not-served',
      'the version is no longer served; its clients fail',
      'remove @unserved; @deprecated warns its users',
    );
  if (old.storage && !now.storage)
    report(
      'storage-version-changed',
      'new objects are stored in another version, and need a conversion to be read in this one',
      'keep @storageVersion here until every version of the operator in use converts between the two',
    );
  reportSubresources(old, now, report);
  const selectable = new Set(now.selectableFields?.map(({ jsonPath }) => jsonPath));
  for (const { jsonPath } of old.selectableFields ?? []) {
    if (selectable.has(jsonPath)) continue;
    report(
      'selectable-field-removed',
      `clients can no longer select objects by ${jsonPath}; such requests fail`,
      `keep @selectableField ${jsonPath}`,
    );
  }
}

function reportSubresources(old: ComparedVersion, now: ComparedVersion, report: Report): void {
  const before = old.subresources ?? {};
  const after = now.subresources ?? {};
  if (before.status && !after.status)
    report(
      'subresource-removed',
      'the status subresource was removed; controllers that write to it fail',
      'keep @subresource status',
    );
  if (!before.status && after.status)
    report(
      'status-subresource-added',
      'status is now a subresource; other writes of the status are dropped',
      'make sure that every client writes to the subresource',
    );
  if (before.scale && !after.scale)
    report(
      'subresource-removed',
      'the scale subresource was removed; kubectl scale and autoscalers fail',
      'keep @scale',
    );
  else if (before.scale && canonical(before.scale) !== canonical(after.scale))
    report('scale-changed', 'the scale subresource has other paths', 'keep the paths of @scale');
}
