import { closestName, editDistance } from 'ots-apimachinery/closest-name';

/** Group, version and kind, as in the flags. */
export interface ResourceName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** How many resources of a project a message lists. */
const maxListed = 6;

/**
 * Suggests resources for an unknown name: the one that the user most likely misspelled, and those of the project, closest
 * first.
 *
 * @param wanted the unknown name
 * @param own the resources of the project
 * @param builtIn resources of Kubernetes to suggest
 * @returns sentences that each end with a space; empty without a suggestion
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
    .slice(0, maxListed)
    .map(({ group, version, kind }) => `${kind} (${group}/${version})`);
  const rest = own.length - listed.length;
  return rest > 0 ? `${listed.join(', ')} and ${rest} more` : listed.join(', ');
}

function textOf({ group, version, kind }: ResourceName): string {
  return `${group}/${version}, ${kind}`.toLowerCase();
}
