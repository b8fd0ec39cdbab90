import { checkVersion } from './names/check-version.ts';
import { refuse } from './names/refuse.ts';
import type { Project, Resource } from './project.ts';
import { isSameKind } from './resource-identity.ts';

/**
 * Checks the versions that a hub is converted to and from.
 *
 * @param hub the version that every conversion goes through
 * @throws {OtsError} `INVALID_VERSION`, `SPOKE_MISSING`, `SPOKE_IS_HUB`, `SPOKE_REPEATED`, `UNKNOWN_SPOKE`, `HUB_EXISTS`
 */
export function checkSpokes(
  project: Project,
  hub: Pick<Resource, 'group' | 'domain' | 'version' | 'kind'>,
  spokes: readonly string[],
): void {
  const defined = project.resources.filter((resource) => resource.api && isSameKind(resource, hub));
  const versions = defined.map(({ version }) => version).filter((version) => version !== hub.version);
  if (spokes.length === 0) {
    refuse(
      'SPOKE_MISSING',
      `A conversion needs versions to convert to and from ${hub.version}`,
      versions.length > 0
        ? `Name them: --spoke ${versions.join(',')}.`
        : `Create another version of ${hub.kind} first: ots create api --kind ${hub.kind} --version <version>.`,
    );
  }
  for (const [index, spoke] of spokes.entries()) {
    checkVersion(spoke);
    if (spoke === hub.version) {
      refuse('SPOKE_IS_HUB', `The spoke ${spoke} is the hub itself`, 'Name the other versions only.');
    }
    if (spokes.indexOf(spoke) < index) {
      refuse('SPOKE_REPEATED', `The spoke ${spoke} is listed twice`, 'List it once.');
    }
    if (!versions.includes(spoke)) {
      refuse(
        'UNKNOWN_SPOKE',
        `The project has no version ${spoke} of ${hub.kind}`,
        versions.length > 0
          ? `It has ${versions.join(', ')}. Add versions with ots create api.`
          : `Create it first: ots create api --group ${hub.group} --version ${spoke} --kind ${hub.kind}.`,
      );
    }
  }
  const other = defined.find(({ version, webhooks }) => version !== hub.version && webhooks?.conversion);
  if (!other) return;
  refuse(
    'HUB_EXISTS',
    `${hub.kind} already has a hub: ${other.version}`,
    `Add spokes to it: --version ${other.version} --conversion --spoke ${hub.version}.`,
  );
}
