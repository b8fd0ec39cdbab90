import type { Crd } from './crd-types.ts';

/** Why the names of a definition are not accepted, for its condition NamesAccepted. */
export interface NameConflict {
  reason: string;
  message: string;
}

/** Finds a name of a definition that another one of the same group already has. */
export function findNameConflict({ spec }: Crd, others: readonly Crd[]): NameConflict | undefined {
  const taken = others
    .filter((other) => other.spec.group === spec.group)
    .map(({ status }) => status?.acceptedNames);
  const resourceNames = new Set(
    taken.flatMap((names) => (names ? [names.plural, names.singular, ...(names.shortNames ?? [])] : [])),
  );
  const kinds = new Set(taken.flatMap((names) => (names ? [names.kind, names.listKind] : [])));
  const { plural, singular = '', shortNames = [], kind, listKind = '' } = spec.names;
  // Of several conflicts the last one is reported.
  if (kinds.has(listKind)) return clash('ListKindConflict', listKind);
  if (kinds.has(kind)) return clash('KindConflict', kind);
  const shortName = shortNames.find((name) => resourceNames.has(name));
  if (shortName !== undefined) return clash('ShortNamesConflict', shortName);
  if (resourceNames.has(singular)) return clash('SingularConflict', singular);
  return resourceNames.has(plural) ? clash('PluralConflict', plural) : undefined;
}

function clash(reason: string, name: string): NameConflict {
  return { reason, message: `"${name}" is already in use` };
}
