import { objectSchemaIndex } from './object-schema-table.ts';

/** The definitions of one Go package. */
interface Package {
  readonly path: string;
  /** Such as `apps/v1`, or `/v1` for the core group; `-` where none of the definitions is a kind. */
  readonly groupVersion: string;
  /** The line of the first definition; the others follow. */
  readonly first: number;
  /** One star marks a kind of this group and version, two a kind of every group and version. */
  readonly names: readonly string[];
}

const kinds = new Map<string, ReadonlyMap<string, number>>();
let packages: readonly Package[] | undefined;

/** The kinds of a group and version, and the lines with their schemas; undefined for an unknown group and version. */
export function kindsOf(group: string, version: string): ReadonlyMap<string, number> | undefined {
  const groupVersion = `${group}/${version}`;
  let found = kinds.get(groupVersion);
  if (!found) {
    packages ??= readPackages();
    // Unknown names are not cached: a caller that asks for many would fill the memory with them.
    if (!packages.some((entry) => entry.groupVersion === groupVersion)) return undefined;
    found = new Map(packages.flatMap((entry) => kindsIn(entry, groupVersion)));
    kinds.set(groupVersion, found);
  }
  return found;
}

/** The full name of the definition on a line; undefined when the line has a schema without a name. */
export function definitionAt(line: number): string | undefined {
  packages ??= readPackages();
  const holder = packages.findLast(({ first }) => first <= line);
  return holder && `${holder.path}.${plain(holder.names[line - holder.first]!)}`;
}

function kindsIn({ first, names, ...entry }: Package, groupVersion: string): [kind: string, line: number][] {
  const suffix = entry.groupVersion === groupVersion ? '*' : '**';
  return names.flatMap((name, i) => (name.endsWith(suffix) ? [[plain(name), first + i]] : []));
}

function readPackages(): Package[] {
  return objectSchemaIndex
    .trim()
    .split('\n')
    .map((row) => {
      const [path = '', groupVersion = '', first, ...names] = row.split(' ');
      return { path, groupVersion, first: Number(first), names };
    });
}

function plain(name: string): string {
  const end = name.indexOf('*');
  return end === -1 ? name : name.slice(0, end);
}
