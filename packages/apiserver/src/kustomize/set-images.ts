import { isObject } from '../json/json-object.ts';
import type { BuiltObject } from './built-object.ts';
import type { ImageChange, Kustomization } from './kustomization.ts';

/** Replaces images in the containers of pod templates. Changes the objects. */
export function setImages(objects: readonly BuiltObject[], { images }: Kustomization): void {
  if (images.length === 0) return;
  for (const { object } of objects) {
    for (const path of [[], ['template', 'spec']]) {
      const pod = ['spec', ...path].reduce<unknown>(
        (value, key) => (isObject(value) ? value[key] : undefined),
        object,
      );
      if (!isObject(pod)) continue;
      for (const container of [pod['containers'], pod['initContainers']].flat()) {
        if (!isObject(container) || typeof container['image'] !== 'string') continue;
        container['image'] = images.reduce(replaceImage, container['image']);
      }
    }
  }
}

/** An image is a name, then a tag after a colon or a digest after an `@`. The host of a registry may have a colon. */
function replaceImage(image: string, { name, newName = name, newTag }: ImageChange): string {
  const [, used, rest = ''] = /^(.+?)(:[^:/@]+|@.+)?$/.exec(image) ?? [];
  if (used !== name) return image;
  return `${newName}${newTag === undefined ? rest : `:${newTag}`}`;
}
