import path from 'node:path';
import type { ApiObject } from '../json/api-object.ts';
import { InstallError } from './install-error.ts';
import { manifestFiles, readManifests } from './read-manifests.ts';
import { convertingService, withoutServiceConversion } from './without-service-conversion.ts';

/**
 * Reads the CustomResourceDefinitions of files and directories, in YAML or JSON. Skips other kinds and subdirectories. Where a
 * Service converts between the versions of a kind, the definition gets the strategy None, unless the Service can be reached.
 *
 * @param isReachable whether something listens for a Service, `namespace/name`. Default: for none
 * @throws {InstallError} for a path that does not exist, and for a file that cannot be parsed
 */
export async function loadCrds(
  paths: readonly string[],
  isReachable: (service: string) => boolean = () => false,
): Promise<ApiObject[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  const manifests = (await Promise.all(files.map((file) => readManifests(file, 'CRD_FILE')))).flat();
  return manifests
    .map(({ object }) => object)
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map((crd) => (isReachable(convertingService(crd) ?? '') ? crd : withoutServiceConversion(crd)));
}

async function filesOf(file: string): Promise<string[]> {
  try {
    return await manifestFiles(file);
  } catch (error) {
    throw new InstallError(
      'CRD_PATH',
      `There are no CustomResourceDefinitions at ${path.resolve(file)}`,
      'Generate them with ots manifests, or correct the path.',
      error,
    );
  }
}
