import { closestName, editDistance } from 'ots-apimachinery/closest-name';

/** Group, version and kind, as the flags name them. */
export interface ResourceName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** So many of a project's resources fit into one line. */
const MAX_LISTED = 6;

/**
 * Says what a name could mean that no resource has: the one resource that it is most likely a misspelling of, and what
 * the project has, closest first.
 *
 * @param wanted the name that no resource has
 * @param own the resources of the project
 * @param builtIn the resources of Kubernetes that could be meant as well
 * @returns sentences that each end with a space; empty when there is nothing to say
 */
export function suggestResource(
  wanted: ResourceName,
  own: readonly ResourceName[],
  builtIn: readonly ResourceName[] = [],
): string {
  const byText = new Map([...builtIn, ...own].map((name) => [textOf(name), name]));
  const meant = byText.get(closestName(textOf(wanted), byText.keys()) ?? '');
  const question = meant
    ? `Did you mean --group ${meant.group} --version ${meant.version} --kind ${meant.kind}? `
    : '';
  return own.length === 0 ? question : `${question}The project has ${list(wanted, own)}. `;
}

function list(wanted: ResourceName, own: readonly ResourceName[]): string {
  const distance = (name: ResourceName) => editDistance(textOf(wanted), textOf(name));
  const sorted = own.toSorted((a, b) => distance(a) - distance(b));
  const listed = sorted
    .slice(0, MAX_LISTED)
    .map(({ group, version, kind }) => `${kind} (${group}/${version})`);
  const rest = own.length - listed.length;
  return rest > 0 ? `${listed.join(', ')} and ${rest} more` : listed.join(', ');
}

function textOf({ group, version, kind }: ResourceName): string {
  return `${group}/${version}, ${kind}`.toLowerCase();
}
