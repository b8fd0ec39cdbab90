import { decodeYaml } from 'ots-apiserver/decoding';
import { WrongTypeError, decodeLikeGo } from '../bundle/decode-like-go.ts';
import { textOf } from '../bundle/json.ts';
import type { Property } from './catalog.ts';
import { propertyType } from './go-types.ts';

/** The type of the property that says which version of which package a bundle is. */
export const packageProperty = 'olm.package';
const objectProperty = 'olm.bundle.object';

/** The value of an `olm.package` property. */
export interface PackageProperty {
  readonly packageName: string;
  readonly version: string;
  readonly release: string;
}

/** What is wrong with the value of a property, for its type. @returns undefined when nothing is */
export function valueProblem({ type, value }: Property): string | undefined {
  if (value === undefined) return 'has no value';
  if (value === null) return undefined;
  try {
    decodeLikeGo(value, propertyType(type), { textFromScalars: false });
    return undefined;
  } catch (error) {
    if (!(error instanceof WrongTypeError)) throw error;
    return error.message;
  }
}

/** The packages that the properties of a bundle name. The values must be of the right type. */
export function packagesOf(properties: readonly Property[]): PackageProperty[] {
  return properties
    .filter(({ type }) => type === packageProperty)
    .map(({ type, value }) => {
      const decoded = decodeLikeGo(value ?? {}, propertyType(type), { textFromScalars: false });
      return {
        packageName: textOf(decoded, 'packageName'),
        version: textOf(decoded, 'version'),
        release: textOf(decoded, 'release'),
      };
    });
}

/** Whether properties have the manifests of a bundle, which then needs no image. */
export function hasObjects(properties: readonly Property[]): boolean {
  return properties.some(({ type }) => type === objectProperty);
}

/** What is wrong with a manifest in a property. Unlike other values, it must be readable for the catalog to be. */
export function objectProblem(property: Property): string | undefined {
  if (property.type !== objectProperty) return undefined;
  const problem = valueProblem(property);
  if (problem !== undefined) return `of type ${objectProperty} cannot be read: ${problem}`;
  const decoded = decodeLikeGo(property.value ?? {}, propertyType(objectProperty), {
    textFromScalars: false,
  });
  const manifest = Buffer.from(textOf(decoded, 'data'), 'base64').toString('utf8');
  try {
    // What begins as JSON does is not read any further.
    if (!/^\s*\{/.test(manifest)) decodeYaml(manifest);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `of type ${objectProperty} is neither YAML nor JSON`;
  }
}
