import { stringify } from 'yaml';

/**
 * The YAML of a value in `recorded/`: what a real server answered. Every server is compared with the same file.
 * `KUBEBUILDER_ASSETS=… npx vitest run -u` records the files again. The real server runs last, so its answers remain.
 */
export function asRecorded(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
