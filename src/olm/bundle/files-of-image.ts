import path from 'node:path';
import type { PulledImage } from '../../images/image-files.ts';
import { BundleFile, type BundleFiles } from './bundle-files.ts';
import { bundleLabels } from './labels.ts';

/** What a bundle has beside the folders that its labels name. */
const usual = ['manifests', 'metadata', 'tests'];

/** The files of the bundle in an image. Other files, such as those of a base image, do not belong to it. */
export function filesOfImage({ files, labels }: PulledImage): BundleFiles {
  const stated = [bundleLabels.manifests, bundleLabels.metadata].map((label) => labels[label] ?? '');
  const roots = [
    ...usual,
    ...stated.map((folder) => path.posix.normalize(`/${folder}`).replace(/^\/|\/$/g, '')),
  ];
  const own = [...files].filter(([file]) => roots.some((root) => root !== '' && file.startsWith(`${root}/`)));
  return {
    files: own
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([file, read]) =>
        'problem' in read
          ? new BundleFile(file, Buffer.alloc(0), read.problem)
          : new BundleFile(file, read.content),
      ),
    directories: new Set(own.flatMap(([file]) => foldersAround(file))),
  };
}

function foldersAround(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
