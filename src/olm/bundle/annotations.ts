import type { GoType } from 'ots-apiserver/decoding';
import type { BundleFile, BundleFiles } from './bundle-files.ts';
import { WrongTypeError, decodeLikeGo } from './decode-like-go.ts';
import { isObject, valueOf } from './json.ts';

/** The annotations of a bundle, and the file that has them. */
export interface BundleAnnotations {
  readonly file: string;
  readonly values: Readonly<Record<string, string>>;
}

const texts: GoType = { kind: 'map', name: 'map[string]string', items: { kind: 'string', name: 'string' } };
const standardFile = 'metadata/annotations.yaml';

/**
 * The map `annotations` of a file.
 *
 * @returns undefined when the file has no such map, or a value in it is not a text
 */
export function annotationsIn({ document }: BundleFile): Record<string, string> | undefined {
  const annotations = 'value' in document ? valueOf(document.value, 'annotations') : undefined;
  if (!isObject(annotations)) return undefined;
  try {
    return decodeLikeGo(annotations, texts, { textFromScalars: true }) as Record<string, string>;
  } catch (error) {
    if (error instanceof WrongTypeError) return undefined;
    throw error;
  }
}

/** Finds the annotations of a bundle: in metadata/annotations.yaml, or else in the first file that has some. */
export function findAnnotations({ files }: BundleFiles): BundleAnnotations | undefined {
  const standard = files.filter(({ path }) => path === standardFile);
  const others = files.filter((file) => file.path !== standardFile && mayHaveAnnotations(file));
  for (const file of [...standard, ...others]) {
    const values = annotationsIn(file);
    if (values && Object.keys(values).length > 0) return { file: file.path, values };
  }
  return undefined;
}

/** Saves reading manifests a second time. */
function mayHaveAnnotations({ isHidden, content }: BundleFile): boolean {
  return !isHidden && /^["']?annotations["']?[^\S\n]*:|^\s*\{/m.test(content.toString('utf8'));
}
