import { stat } from 'node:fs/promises';
import path from 'node:path';
import { InstallError } from '../client/install-error.ts';
import { type Manifest, manifestFiles, readManifests } from '../client/read-manifests.ts';
import { applyPatches } from './apply-patch.ts';
import type { BuiltObject } from './built-object.ts';
import { findKustomization, kustomizationError, readKustomization } from './kustomization.ts';
import { type NameReference, readNameReferences, updateReferences } from './name-references.ts';
import { setImages } from './set-images.ts';
import { setNames } from './set-names.ts';

/**
 * Reads the objects of a file, of the files of a directory, or of a directory with a kustomization. Of kustomize, it supports what
 * scaffolded projects use: `resources`, `components`, `namespace`, `namePrefix`, `labels` (of metadata), `patches` (with a target kind
 * and name), `images`, and `configurations` with name references.
 *
 * @param fileOrDirectory relative to the working directory of the process
 * @throws {InstallError} for a path that does not exist, a file that cannot be parsed, and a field of a kustomization that is
 *   not supported or wrong
 */
export async function readObjects(fileOrDirectory: string): Promise<Manifest[]> {
  const absolute = path.resolve(fileOrDirectory);
  const info = await stat(absolute).catch((cause: unknown) => {
    throw new InstallError(
      'MANIFEST_PATH',
      `There are no manifests at ${absolute}`,
      'Generate them with ots manifests, or correct the path.',
      cause,
    );
  });
  if (info.isDirectory() && (await findKustomization(absolute))) return build(absolute);
  const files = await manifestFiles(absolute);
  return (await Promise.all(files.map((file) => readManifests(file)))).flat();
}

async function build(directory: string): Promise<Manifest[]> {
  const references: NameReference[] = [];
  const objects = await accumulate(directory, { objects: [], chain: [], references, isComponent: false });
  updateReferences(objects, references);
  return objects.map(({ object, file, document }) => ({ object, file, document }));
}

/** What a kustomization builds on. */
interface Base {
  /** What its parent has collected; empty unless it is a component. */
  readonly objects: readonly BuiltObject[];
  /** The directories that led to it. */
  readonly chain: readonly string[];
  /** Receives the references that kustomizations add. */
  readonly references: NameReference[];
  readonly isComponent: boolean;
}

/** The objects of a kustomization, with its changes. Those of a component apply to what its parent has collected, too. */
async function accumulate(directory: string, base: Base): Promise<BuiltObject[]> {
  const { references } = base;
  const parent = base.chain.at(-1);
  const found = await findKustomization(directory);
  if (!found) throw kustomizationError(parent ?? directory, `${directory} has no kustomization.yaml`);
  if (base.chain.includes(found.file)) throw kustomizationError(found.file, 'it includes itself');
  const kustomization = await readKustomization(found.file, found.text);
  if (kustomization.isComponent !== base.isComponent && parent !== undefined) {
    const [list, kind] = base.isComponent ? ['components', 'Component'] : ['resources', 'Kustomization'];
    throw kustomizationError(parent, `${list}: ${directory} is not a ${kind}`);
  }
  const chain = [...base.chain, found.file];
  let objects = [...base.objects];
  for (const resource of kustomization.resources) {
    const place = path.resolve(kustomization.directory, resource);
    const isDirectory = await isDirectoryIn(kustomization.file, place);
    objects = isDirectory
      ? [...objects, ...(await accumulate(place, { objects: [], chain, references, isComponent: false }))]
      : [...objects, ...(await readManifests(place)).map(unbuilt)];
  }
  for (const component of kustomization.components) {
    const place = path.resolve(kustomization.directory, component);
    objects = await accumulate(place, { objects, chain, references, isComponent: true });
  }
  for (const configuration of kustomization.configurations)
    references.push(...(await readNameReferences(kustomization.file, configuration)));
  objects = applyPatches(objects, kustomization);
  setNames(objects, kustomization);
  setImages(objects, kustomization);
  return objects;
}

function unbuilt(manifest: Manifest): BuiltObject {
  const { name = '', namespace } = manifest.object.metadata;
  return { ...manifest, original: { name, namespace } };
}

async function isDirectoryIn(kustomization: string, place: string): Promise<boolean> {
  try {
    return (await stat(place)).isDirectory();
  } catch (cause) {
    throw kustomizationError(kustomization, `resources: ${place} cannot be read`, cause);
  }
}
