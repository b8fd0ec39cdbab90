import { StrictErrors, asCrd, type Crd, decodeTyped, goTypeOfKind } from 'ots-apiserver/decoding';
import { WrongTypeError, decodeLikeGo } from './decode-like-go.ts';
import { type JsonObject, isObject, textOf, valueOf } from './json.ts';

/**
 * Reads a CustomResourceDefinition. Missing fields are empty.
 *
 * @throws {WrongTypeError} when a field has the wrong type
 */
export function readCrd(object: JsonObject): Crd {
  const type = goTypeOfKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
  if (!type) throw new TypeError('there is no type of CustomResourceDefinitions');
  const read = decodeLikeGo(object, type, { textFromScalars: true }) as JsonObject;
  // Adds the empty values that the rules expect.
  const decoded = decodeTyped(read, type, new StrictErrors());
  const spec = isObject(decoded['spec']) ? decoded['spec'] : {};
  const names = isObject(spec['names']) ? spec['names'] : {};
  return asCrd({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: isObject(decoded['metadata']) ? decoded['metadata'] : {},
    spec: {
      group: '',
      scope: '',
      ...spec,
      names: { plural: '', kind: '', ...names },
      versions: readVersions(spec['versions']),
    },
  });
}

function readVersions(versions: unknown): unknown[] {
  return Array.isArray(versions) ? versions.map((version: object) => ({ name: '', ...version })) : [];
}

const versionPath = 'spec.version';

/**
 * A definition of v1beta1 as one of v1, by the defaults of v1beta1: it keeps unknown fields, is namespaced, and has one version where it
 * only names that.
 *
 * @throws {WrongTypeError} when its version is not a text
 */
export function fromV1beta1(object: JsonObject): JsonObject {
  const spec = valueOf(object, 'spec') ?? {};
  if (!isObject(spec)) return object;
  if (typeof spec['version'] === 'object' && spec['version'] !== null)
    throw new WrongTypeError(versionPath, 'is not a text');
  const { version: _, validation: schema, subresources, additionalPrinterColumns, ...rest } = spec;
  const shared = { schema, subresources, additionalPrinterColumns };
  return {
    ...object,
    spec: {
      ...rest,
      scope: spec['scope'] || 'Namespaced',
      preserveUnknownFields: spec['preserveUnknownFields'] ?? true,
      conversion: conversionOf(spec['conversion']),
      versions: versionsOf(spec).map((version) => (isObject(version) ? { ...shared, ...version } : version)),
    },
  };
}

function versionsOf(spec: JsonObject): unknown[] {
  const { versions } = spec;
  if (Array.isArray(versions) && versions.length > 0) return versions;
  const name = textOf(spec, 'version');
  return name === '' ? [] : [{ name, served: true, storage: true }];
}

function conversionOf(conversion: unknown): unknown {
  if (!isObject(conversion)) return conversion;
  const { strategy, webhookClientConfig: clientConfig, conversionReviewVersions: given } = conversion;
  const missing = given === undefined || given === null || (Array.isArray(given) && given.length === 0);
  const conversionReviewVersions = missing && strategy === 'Webhook' ? ['v1beta1'] : given;
  return { strategy, webhook: { clientConfig, conversionReviewVersions } };
}
