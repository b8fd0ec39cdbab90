import { closestName } from 'ots-apimachinery/closest-name';
import { didYouMean } from '../../project/names/did-you-mean.ts';
import { isData } from '../../project/yaml/data.ts';
import type { Problem } from '../finding.ts';
import type { Kustomization } from '../kustomizations.ts';
import type { ProjectView } from '../project-view.ts';

/** Checks that the entries of `images` in kustomizations change the image of some container: otherwise the operator runs another image. */
export function checkImageNames(view: ProjectView): Problem[] {
  return view.kustomizations.all.flatMap((kustomization) => problemsOf(view, kustomization));
}

function problemsOf(view: ProjectView, { directory, file, fields, isComponent }: Kustomization): Problem[] {
  const { images } = fields;
  const parts = view.kustomizations.closure(directory);
  const entries = parts.flatMap((part) => part.entries);
  // A component changes what its parent has, and a remote base has images that are not known.
  if (!Array.isArray(images) || isComponent || entries.some(({ target }) => target === undefined)) return [];
  const used = new Set([
    ...entries.flatMap(({ target }) =>
      target !== undefined && view.exists(target) ? (view.yaml(target)?.values ?? []).flatMap(imagesIn) : [],
    ),
    // An inner kustomization may have changed the name.
    ...parts.slice(1).flatMap((part) => newNames(part.fields['images'])),
  ]);
  return images.flatMap((entry: unknown, index): Problem[] => {
    const name = isData(entry) ? entry['name'] : undefined;
    if (typeof name !== 'string' || used.has(name)) return [];
    return [
      {
        ...view.place(file, 0, ['images', index, 'name']),
        severity: 'warning',
        message: `images names ${name}, but no container uses this image, so the entry changes nothing`,
        hint: didYouMean(closestName(name, used), `Containers use ${[...used].join(', ') || 'no image'}.`),
      },
    ];
  });
}

/** The names of all images in an object, without tag and digest. */
function imagesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(imagesIn);
  if (!isData(value)) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'image' && typeof part === 'string'
      ? [part.replace(/(?::[\w.-]+)?(?:@.*)?$/, '')]
      : imagesIn(part),
  );
}

function newNames(images: unknown): string[] {
  if (!Array.isArray(images)) return [];
  return images.flatMap((entry: unknown) =>
    isData(entry) && typeof entry['newName'] === 'string' ? [entry['newName']] : [],
  );
}
