/** Returns the API group of an `apiVersion`: empty for the core group, whose `apiVersion` is the version alone. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
