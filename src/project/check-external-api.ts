import { checkCollisions } from './check-collisions.ts';
import { checkDomain } from './names/check-domain.ts';
import { checkExternalApiPath } from './names/check-external-api-path.ts';
import { checkGroup } from './names/check-group.ts';
import { checkKind } from './names/check-kind.ts';
import { checkPlural } from './names/check-plural.ts';
import { checkVersion } from './names/check-version.ts';
import { apiGroup } from './names/api-group.ts';
import { pluralOf } from './names/plural.ts';
import type { Project } from './project.ts';

/** A kind that another project defines. */
export interface ExternalApi {
  group: string;
  /** The part after the group: `io` of `cert-manager.io`. */
  domain: string;
  version: string;
  kind: string;
  plural?: string | undefined;
  /** The module that its type is imported from; undefined when the project declares the type itself. */
  path?: string | undefined;
}

/**
 * Checks a kind of another project; any group is allowed.
 *
 * @returns the plural of the kind
 * @throws {OtsError} of the name rules and of {@link checkCollisions}
 */
export function checkExternalApi(project: Project, api: ExternalApi): string {
  if (api.domain !== '') checkDomain(api.domain, 'external');
  checkGroup(api.group, api.domain, 'external');
  checkVersion(api.version);
  checkKind(api.kind, 'external');
  const plural = api.plural ?? pluralOf(api.kind);
  checkPlural(plural, apiGroup(api));
  if (api.path !== undefined) checkExternalApiPath(api.path);
  checkCollisions(project, { ...api, plural });
  return plural;
}
