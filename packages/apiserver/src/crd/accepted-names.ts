import type { Crd } from './crd-types.ts';

/** Why the names of a definition are not accepted, as its condition NamesAccepted says it. */
export interface NameConflict {
  reason: string;
  message: string;
}

/** Finds a name of a definition that another one of the same group was given before. */
export function findNameConflict({ spec }: Crd, others: readonly Crd[]): NameConflict | undefined {
  const taken = others
    .filter((other) => other.spec.group === spec.group)
    .map(({ status }) => status?.acceptedNames);
  const resourceNames = new Set(
    taken.flatMap((names) => (names ? [names.plural, names.singular, ...(names.shortNames ?? [])] : [])),
  );
  const kinds = new Set(taken.flatMap((names) => (names ? [names.kind, names.listKind] : [])));
  const { plural, singular = '', shortNames = [], kind, listKind = '' } = spec.names;
  const clash = (reason: string, name: string): NameConflict => ({
    reason,
    message: `"${name}" is already in use`,
  });
  if (resourceNames.has(plural)) return clash('PluralConflict', plural);
  if (resourceNames.has(singular)) return clash('SingularConflict', singular);
  const shortName = shortNames.find((name) => resourceNames.has(name));
  if (shortName !== undefined) return clash('ShortNamesConflict', shortName);
  if (kinds.has(kind)) return clash('KindConflict', kind);
  return kinds.has(listKind) ? clash('ListKindConflict', listKind) : undefined;
}
