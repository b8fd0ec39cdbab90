import { OtsError } from '../../errors/ots-error.ts';
import { type JsonObject, textOf, valueOf } from '../bundle/json.ts';
import type { InputObject } from './input-object.ts';
import { objectsAt } from './objects-at.ts';

/** An image of a bundle, as in a ClusterServiceVersion. */
export interface RelatedImage {
  /** Empty for an image with several names. */
  readonly name: string;
  readonly image: string;
}

/** The images, and what is odd about them. */
export interface RelatedImages {
  readonly images: readonly RelatedImage[];
  readonly problems: readonly string[];
}

/** The start of the names of variables that have an image. */
export const relatedImagePrefix = 'RELATED_IMAGE_';

interface Found extends RelatedImage {
  /** Tells images with the same name apart. */
  readonly container: string;
}

/**
 * The images in the variables `RELATED_IMAGE_*` of the Deployments, in their order. The name is that of the variable: `CLAY_OVEN`
 * becomes `clay-oven`, after the name of the Deployment where two images have it.
 *
 * @throws OtsError `RELATED_IMAGE_REFERENCE` for a variable whose value is somewhere else
 */
export function relatedImages(deployments: readonly InputObject[]): RelatedImages {
  const found = new Map<string, Found>();
  for (const image of deployments.flatMap(imagesIn)) {
    const key = JSON.stringify([image.name, image.image]);
    if (!found.has(key)) found.set(key, image);
  }
  const all = [...found.values()];
  const problems: string[] = [];
  const images = all.flatMap(({ name, image, container }) => {
    const same = all.filter((other) => other.image === image);
    if (same.length > 1) {
      if (same[0]!.name !== name) return [];
      const names = same.map((other) => other.name).join(', ');
      problems.push(`the image ${image} has the names ${names}, so it is listed once without one`);
      return [{ name: '', image }];
    }
    const isShared = all.filter((other) => other.name === name).length > 1;
    return [{ name: isShared ? `${container}-${name}` : name, image }];
  });
  return { images, problems };
}

function imagesIn({ name, object }: InputObject): Found[] {
  const pod = valueOf(valueOf(valueOf(object, 'spec'), 'template'), 'spec');
  const containers = [...objectsAt(pod, 'containers'), ...objectsAt(pod, 'initContainers')];
  return containers.flatMap((container) =>
    objectsAt(container, 'env')
      .filter((variable) => textOf(variable, 'name').startsWith(relatedImagePrefix))
      .map((variable) => ({
        name: textOf(variable, 'name').slice(relatedImagePrefix.length).toLowerCase().replaceAll('_', '-'),
        image: imageOf(variable, name),
        container: containers.length > 1 ? `${name}-${textOf(container, 'name')}` : name,
      })),
  );
}

function imageOf(variable: JsonObject, deployment: string): string {
  if (valueOf(variable, 'valueFrom') === undefined) return textOf(variable, 'value');
  throw new OtsError(
    'RELATED_IMAGE_REFERENCE',
    `Deployment ${deployment} takes ${textOf(variable, 'name')} from somewhere else, so the image is not known`,
    { hint: 'Write the image as the value of the variable.' },
  );
}
