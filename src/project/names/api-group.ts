/**
 * Joins the two parts that PROJECT stores into the group of an apiVersion.
 *
 * @returns `batch.example.com`, `apps` for a built-in group without a domain, and '' for the core group
 */
export function apiGroup(resource: { group: string; domain: string; core?: boolean | undefined }): string {
  if (resource.core && resource.group === 'core' && resource.domain === '') return '';
  return resource.domain === '' ? resource.group : `${resource.group}.${resource.domain}`;
}
