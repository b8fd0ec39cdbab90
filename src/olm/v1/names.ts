import { createHash } from 'node:crypto';
import type { Permissions } from '../bundle/csv.ts';
import { goJson } from './go-json.ts';

const maxLength = 63;

/** A name made of two, of which the first is cut where both are too long for a label. Source: operator-controller, as OLM v0. */
export function objectName(base: string, suffix: string): string {
  const start = base.length + suffix.length > maxLength ? base.slice(0, maxLength - suffix.length - 1) : base;
  return `${start}-${suffix}`;
}

/** The name of the role of a service account. It changes with the rights: a hash of them is its end. */
export function roleName(csvName: string, permissions: Permissions): string {
  return objectName(`${csvName}-${serviceAccountOf(permissions)}`, hashOf(permissions));
}

/** The service account that has the rights. */
export function serviceAccountOf({ serviceAccountName = '' }: Permissions): string {
  return serviceAccountName === '' ? 'default' : serviceAccountName;
}

/** SHA-224 of the JSON that Go writes, with the base 36. */
function hashOf({ serviceAccountName = '', rules }: Permissions): string {
  const written = {
    serviceAccountName,
    rules:
      rules?.map(({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }) => ({
        verbs: verbs ?? null,
        ...(apiGroups && apiGroups.length > 0 && { apiGroups }),
        ...(resources && resources.length > 0 && { resources }),
        ...(resourceNames && resourceNames.length > 0 && { resourceNames }),
        ...(nonResourceURLs && nonResourceURLs.length > 0 && { nonResourceURLs }),
      })) ?? null,
  };
  const digest = createHash('sha224')
    .update(`${goJson(written)}\n`)
    .digest('hex');
  return BigInt(`0x${digest}`).toString(36);
}
