import { type Document, isMap, isScalar, isSeq, parseAllDocuments, stringify } from 'yaml';
import { OtsError } from '../errors/ots-error.ts';

/**
 * Sets the image of the container `manager` in the Deployment `controller-manager`, whatever prefix it has. The rest of the text
 * stays as it is.
 *
 * @param text the objects of a build, as YAML
 * @throws OtsError `NO_MANAGER` unless there is exactly one such container with an image
 */
export function setImage(text: string, image: string): string {
  const ranges = parseAllDocuments(text)
    .map((document) => imageRange(document))
    .filter((found) => found !== undefined);
  const [range] = ranges;
  if (!range || ranges.length > 1) {
    throw new OtsError(
      'NO_MANAGER',
      `The objects have ${ranges.length === 0 ? 'no' : 'more than one'} Deployment "controller-manager" with a container "manager" that could run the image`,
      {
        hint: 'Set the image with an `images` entry in config/default/kustomization.yaml, and omit --image and IMG.',
      },
    );
  }
  return `${text.slice(0, range[0])}${stringify(image).trimEnd()}${text.slice(range[1])}`;
}

/** Where in the text the image of the manager is. */
function imageRange(document: Document): [start: number, end: number] | undefined {
  const name = document.getIn(['metadata', 'name']);
  if (document.get('kind') !== 'Deployment' || typeof name !== 'string') return undefined;
  if (!/(?:^|-)controller-manager(?:-|$)/.test(name)) return undefined;
  const containers = document.getIn(['spec', 'template', 'spec', 'containers']);
  const manager = isSeq(containers)
    ? containers.items.find((item) => isMap(item) && item.get('name') === 'manager')
    : undefined;
  const image = isMap(manager) ? manager.get('image', true) : undefined;
  return isScalar(image) && image.range ? [image.range[0], image.range[1]] : undefined;
}
