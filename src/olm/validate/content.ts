import { validateMetadata } from 'ots-apiserver/decoding';
import type { ObjectMeta } from 'ots-kubernetes';
import type { Bundle, BundleObject } from '../bundle/bundle.ts';
import { WrongTypeError } from '../bundle/decode-like-go.ts';
import { valueOf } from '../bundle/json.ts';
import { mediaTypeOf } from '../bundle/media-type.ts';
import { readMetadata } from '../bundle/read-metadata.ts';
import { namespacedByKind } from '../bundle/supported-kinds.ts';
import { type Finding, reporter } from '../finding.ts';
import { gvkOf } from './group-version-kind.ts';
import type { Validator } from './validator.ts';

const { error } = reporter('content');

/** Kinds that have validators of their own. */
const elsewhere = new Set(['ClusterServiceVersion', 'CustomResourceDefinition']);

/** The rules for the objects of a bundle: their kinds and their metadata. A chart has none. */
export const validateContent: Validator = (bundle) => {
  const mediaType = mediaTypeOf(bundle.files, bundle.manifests);
  if (mediaType === 'helm') return [];
  return [
    ...(mediaType === 'registry+v1' ? bundle.objects.filter(isUnsupported).map(unsupported) : []),
    ...bundle.objects
      .filter(
        (object) => !elsewhere.has(object.kind) && !(mediaType === 'registry+v1' && isUnsupported(object)),
      )
      .flatMap(validateObjectMeta),
    ...validateSubstitution(bundle),
  ];
};

function isUnsupported({ kind }: BundleObject): boolean {
  return !namespacedByKind.has(kind);
}

function unsupported({ apiVersion, kind, file }: BundleObject): Finding {
  const value = gvkOf(apiVersion, kind);
  const detail =
    kind === ''
      ? 'its first document is empty; delete what is before the first ---'
      : `a bundle cannot have a ${kind}; let the operator create it, or leave it out`;
  return error({ type: 'BundleNotValid', value, file, detail });
}

/** OLM chooses the namespace, so the objects are validated without one. Their names are not validated. */
function validateObjectMeta({ object, file, name }: BundleObject): Finding[] {
  const report = (detail: string) => error({ type: 'ValidationFailed', value: name, file, detail });
  const metadata = decodeMetadata(valueOf(object, 'metadata') ?? {});
  if (metadata instanceof WrongTypeError) return [report(metadata.message)];
  const problems = [
    ...(metadata.namespace ? ['metadata.namespace must not be set: OLM chooses the namespace'] : []),
    ...validateMetadata(metadata, () => [], true).map(({ field, message }) => `${field}: ${message}`),
  ];
  return problems.length === 0 ? [] : [report(problems.join('; '))];
}

function decodeMetadata(value: unknown): ObjectMeta | WrongTypeError {
  try {
    return readMetadata(value);
  } catch (cause) {
    if (cause instanceof WrongTypeError) return cause;
    throw cause;
  }
}

function validateSubstitution({ csv }: Bundle): Finding[] {
  const substitutes = csv?.csv.metadata?.annotations?.['olm.substitutesFor'];
  if (!csv || !substitutes || !csv.csv.spec?.release) return [];
  const detail = 'a bundle with spec.release cannot have the annotation olm.substitutesFor';
  return [error({ type: 'BundleNotValid', file: csv.file, detail })];
}
