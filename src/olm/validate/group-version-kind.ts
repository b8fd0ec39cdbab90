/** A kind as Go prints it, which tools compare: `pottery.example.org/v1, Kind=Furnace`. */
export function gvkText(group: string, version: string, kind: string): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** The kind of an object. */
export function gvkOf(apiVersion: string, kind: string): string {
  const parts = apiVersion.split('/');
  const version = parts.at(-1)!;
  return gvkText(parts.length === 2 ? parts[0]! : '', version, kind);
}

/** The group in the name of a CRD, which is `<plural>.<group>`; undefined for a name without a dot. */
export function groupInName(name: string): string | undefined {
  const dot = name.indexOf('.');
  return dot === -1 ? undefined : name.slice(dot + 1);
}
