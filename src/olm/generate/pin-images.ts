import { type JsonObject, objectAt, textOf, valueOf } from '../bundle/json.ts';
import { imagesIn, missingImages } from './handmade.ts';
import { objectsAt } from './objects-at.ts';
import { type RelatedImage, relatedImagePrefix } from './related-images.ts';

/** References by digest, by the references that they replace. */
export type PinnedImages = ReadonlyMap<string, string>;

/** The annotation in which OperatorHub shows the image of the operator. */
const shownImage = 'containerImage';

/** Every image of a ClusterServiceVersion, once: of its containers, their variables `RELATED_IMAGE_*`, its related images and its annotation. */
export function imagesOf(csv: JsonObject): string[] {
  const containers = deploymentsIn(csv).flatMap((deployment) => containersIn(deployment));
  const all = [
    ...containers.map((container) => textOf(container, 'image')),
    ...containers.flatMap((container) => relatedVariables(container)).map((each) => textOf(each, 'value')),
    ...imagesIn(csv).map(({ image }) => image),
    textOf(annotationsIn(csv), shownImage),
  ];
  return [...new Set(all)].filter((image) => image !== '');
}

/**
 * Replaces the images of a ClusterServiceVersion, and lists those of its containers as related images, by the names of the containers. A
 * registry without access to the internet mirrors the related images.
 */
export function pinImages(csv: JsonObject, pinned: PinnedImages): JsonObject {
  const pin = (image: string) => pinned.get(image) ?? image;
  const spec = objectAt(csv, 'spec');
  const install = objectAt(spec, 'install');
  const strategy = objectAt(install, 'spec');
  const deployments = deploymentsIn(csv).map((deployment) => withContainers(deployment, pin));
  const stated = imagesIn(csv).map(({ name, image }) => ({ name, image: pin(image) }));
  const related = [...stated, ...missingImages(stated, containerImages(deployments))];
  const annotations = annotationsIn(csv);
  const shown = textOf(annotations, shownImage);
  return {
    ...csv,
    metadata: {
      ...objectAt(csv, 'metadata'),
      annotations: { ...annotations, ...(shown !== '' && { [shownImage]: pin(shown) }) },
    },
    spec: {
      ...spec,
      install: { ...install, spec: { ...strategy, deployments } },
      ...(related.length > 0 && { relatedImages: related }),
    },
  };
}

function withContainers(deployment: JsonObject, pin: (image: string) => string): JsonObject {
  const spec = objectAt(deployment, 'spec');
  const template = objectAt(spec, 'template');
  const pod = objectAt(template, 'spec');
  const pinnedLists = (['initContainers', 'containers'] as const)
    .filter((key) => valueOf(pod, key) !== undefined)
    .map((key) => [key, objectsAt(pod, key).map((container) => withImage(container, pin))]);
  const changed = { ...pod, ...Object.fromEntries(pinnedLists) };
  return { ...deployment, spec: { ...spec, template: { ...template, spec: changed } } };
}

function withImage(container: JsonObject, pin: (image: string) => string): JsonObject {
  const related = new Set(relatedVariables(container));
  const env = objectsAt(container, 'env').map((variable) =>
    related.has(variable) ? { ...variable, value: pin(textOf(variable, 'value')) } : variable,
  );
  return { ...container, image: pin(textOf(container, 'image')), ...(env.length > 0 && { env }) };
}

/** By the name of the container, after that of the Deployment where several Deployments have such a container. */
function containerImages(deployments: readonly JsonObject[]): RelatedImage[] {
  const found = deployments.flatMap((deployment) =>
    containersIn(deployment).map((container) => ({
      deployment: textOf(deployment, 'name'),
      name: textOf(container, 'name'),
      image: textOf(container, 'image'),
    })),
  );
  return found
    .filter(({ image }, index) => found.findIndex((other) => other.image === image) === index)
    .map(({ deployment, name, image }) => {
      const isShared = found.some((other) => other.name === name && other.image !== image);
      return { name: isShared ? `${deployment}-${name}` : name, image };
    });
}

function relatedVariables(container: JsonObject): JsonObject[] {
  return objectsAt(container, 'env').filter((variable) =>
    textOf(variable, 'name').startsWith(relatedImagePrefix),
  );
}

function containersIn(deployment: JsonObject): readonly JsonObject[] {
  const pod = valueOf(valueOf(valueOf(deployment, 'spec'), 'template'), 'spec');
  return [...objectsAt(pod, 'initContainers'), ...objectsAt(pod, 'containers')];
}

function deploymentsIn(csv: JsonObject): readonly JsonObject[] {
  return objectsAt(valueOf(valueOf(valueOf(csv, 'spec'), 'install'), 'spec'), 'deployments');
}

function annotationsIn(csv: JsonObject): JsonObject {
  return objectAt(valueOf(csv, 'metadata'), 'annotations');
}
