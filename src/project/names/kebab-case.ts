/**
 * Turns a kind into the name of its files: `JobWatcher` → `job-watcher`, `HTTPRoute` → `http-route`,
 * `MyAPIServer` → `my-api-server`, `S3Bucket` → `s3-bucket`. Only letter case decides where words begin, so two kinds
 * share a file name only if they differ only in case.
 */
export function kebabCase(kind: string): string {
  return kind
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
