import { InstallError } from 'ots-apiserver';
import type { Kind, KubernetesObject } from 'ots-kubernetes';

/**
 * Reads the object of a kind from a file, so a test can use a sample:
 *
 * ```ts
 * const sample = await readManifest(MyApp, 'config/samples/apps_v1_myapp.yaml');
 * ```
 *
 * @param fileOrDirectory as for `TestEnvironment.install`; it may contain objects of other kinds
 * @returns the object as it is written, without defaults
 * @throws {InstallError} (of ots-apiserver) when a file cannot be read, or the number of objects of the kind is not one
 */
export async function readManifest<T extends KubernetesObject>(
  { apiVersion, kind }: Kind<T>,
  fileOrDirectory: string,
): Promise<T> {
  const { readObjects } = await import('ots-apiserver/kustomize');
  const found = (await readObjects(fileOrDirectory)).filter(
    ({ object }) => object.apiVersion === apiVersion && object.kind === kind,
  );
  const [only, ...others] = found;
  if (only && others.length === 0) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the type of the kind, as far as a file can promise it
    return only.object as unknown as T;
  }
  throw new InstallError(
    'MANIFEST_FILE',
    `${fileOrDirectory} contains ${found.length} objects of ${apiVersion} ${kind}`,
    'Name a file with exactly one.',
  );
}
