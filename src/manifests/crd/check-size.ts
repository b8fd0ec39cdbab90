import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import type { Kind } from './kind.ts';

/**
 * The limit for all annotations of an object together, keys included (k8s.io/apimachinery
 * TotalAnnotationSizeLimitB).
 */
const maxAnnotationBytes = 256 * 1024;
/** Where `kubectl apply` keeps the whole object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Reports a CRD that `kubectl apply` cannot write, because it keeps a copy of the object in an annotation.
 */
export function checkSize(
  crd: CustomResourceDefinition,
  json: string,
  { declaration }: Kind,
  diagnostics: Diagnostics,
): void {
  const annotations = Object.entries(crd.metadata.annotations ?? {}).flat();
  const size = Buffer.byteLength(annotations.join('') + lastApplied + json) + 1;
  if (size <= maxAnnotationBytes) return;
  diagnostics.error(
    declaration.module.source,
    declaration.nameSpan,
    'crd-size',
    `the CRD of ${crd.spec.names.kind} has ${size} bytes, and kubectl apply accepts at most ${maxAnnotationBytes}`,
    `omit unused parts of embedded types, for example with Omit<PodSpec, 'ephemeralContainers'>, or shorten the descriptions`,
  );
}
