import { originKey } from '../schema/origin.ts';
import type { ComparedCrd } from './compared-crd.ts';
import { compareKind } from './compare-kind.ts';
import { compareVersions } from './compare-versions.ts';
import type { Finding } from './finding.ts';

/**
 * Finds the changes that break users of custom resources, who store, send or read objects or have code for
 * them. New kinds, versions, optional fields and valid values do not break users.
 *
 * @param before the earlier definition
 * @param all the current definitions
 */
export function compareCrd(before: ComparedCrd, all: readonly ComparedCrd[]): Finding[] {
  const { group, names } = before.spec;
  const after =
    all.find(({ spec }) => spec.group === group && spec.names.kind === names.kind) ??
    all.find(({ spec }) => spec.group === group && spec.names.plural === names.plural);
  if (!after) return [removed(before, all)];
  return [...compareKind(before, after), ...compareVersions(before, after)];
}

function removed({ spec }: ComparedCrd, all: readonly ComparedCrd[]): Finding {
  const { kind } = spec.names;
  const elsewhere = all.find((candidate) => candidate.spec.names.kind === kind);
  const base = { kind, origin: elsewhere?.spec.versions[0]?.schema.openAPIV3Schema[originKey] };
  if (elsewhere) {
    return {
      ...base,
      code: 'group-changed',
      message: `it moved from the group ${spec.group} to ${elsewhere.spec.group}; for users this is another API`,
      hint: 'also keep the kind in its old group while it is in use',
    };
  }
  return {
    ...base,
    code: 'kind-removed',
    message: `the kind of ${spec.group} was removed; deleting its definition deletes every object`,
    hint: 'keep the kind while it is in use; @deprecated warns its users',
  };
}
