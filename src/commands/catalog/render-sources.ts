import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { readBundle } from '../../olm/bundle/read-bundle.ts';
import { aboutPackage, renderBundle, renderProblem } from '../../olm/catalog/render-bundle.ts';
import { renderTemplate, sorted } from '../../olm/catalog/render-catalog.ts';
import type { RenderedImage } from '../../olm/catalog/semver-template.ts';
import { TemplateError } from '../../olm/catalog/template-error.ts';
import { imageProblem } from '../../olm/validate/image-reference.ts';
import { oneLine } from '../../output/one-line.ts';
import { quoted } from '../../project/names/quoted.ts';
import { workingDirectory } from '../shared/report-options.ts';

/** The flags of commands that render bundles. */
export interface SourceOptions extends CommonOptions {
  /** Directories, or a template. */
  sources?: readonly string[];
  image?: string;
  /** Each as image=directory. */
  bundle: readonly string[];
}

/**
 * Renders the bundle directories or the template that the user named.
 *
 * @returns the objects of a catalog, in the order in which they are written
 * @throws UsageError `NO_BUNDLE` without a source, `INVALID_BUNDLE` for a malformed --bundle
 * @throws OtsError `INVALID_BUNDLE`, `INVALID_IMAGE`, `INVALID_TEMPLATE`, `NO_SOURCE`, `NO_BUNDLE_OF_IMAGE`
 */
export async function renderSources(options: SourceOptions, context: Context): Promise<object[]> {
  const { sources = [] } = options;
  const [first] = sources;
  if (first === undefined)
    throw new UsageError('NO_BUNDLE', 'A bundle directory or a template is missing', {
      hint: 'Name it, such as ots catalog render bundle --image registry.example.com/my-operator-bundle:v0.0.1.',
    });
  const renderer = new Renderer(options, workingDirectory(options, context));
  if ((await renderer.kindOf(first)) === 'file' && sources.length === 1) return renderer.template(first);
  const bundles = [];
  for (const source of sources) bundles.push({ ...(await renderer.directory(source)).bundle });
  return sorted(bundles);
}

class Renderer {
  readonly #image: string | undefined;
  readonly #cwd: string;
  /** The directories of images, absolute. */
  readonly #directories: ReadonlyMap<string, string>;

  constructor({ image, bundle }: SourceOptions, cwd: string) {
    this.#image = image;
    this.#cwd = cwd;
    this.#directories = new Map(
      bundle.map((pair) => {
        const at = pair.lastIndexOf('=');
        if (at < 1)
          throw new UsageError('INVALID_BUNDLE', `${quoted(pair)} is not an image and its directory`, {
            hint: 'Use --bundle image=directory.',
          });
        return [pair.slice(0, at), path.resolve(cwd, pair.slice(at + 1))];
      }),
    );
  }

  async kindOf(source: string): Promise<'file' | 'directory'> {
    const info = await stat(path.resolve(this.#cwd, source)).catch(() => undefined);
    if (info?.isDirectory()) return 'directory';
    if (info?.isFile()) return 'file';
    throw new OtsError('NO_SOURCE', `${quoted(source)} ${info ? 'is not a file' : 'does not exist'}`, {
      hint: 'Name directories with manifests/ and metadata/, or one template.',
    });
  }

  async template(file: string): Promise<object[]> {
    const absolute = path.resolve(this.#cwd, file);
    const text = await readFile(absolute, 'utf8');
    try {
      return await renderTemplate(text, (image) => this.#renderImage(image, path.dirname(absolute)));
    } catch (cause) {
      if (!(cause instanceof TemplateError)) throw cause;
      throw new OtsError('INVALID_TEMPLATE', `${oneLine(file)}: ${oneLine(cause.message)}`, {
        hint: 'Fix the template. docs/olm.md shows both kinds.',
        cause,
      });
    }
  }

  /** A template names an image with a known directory, or a directory relative to itself. */
  async #renderImage(image: string, base: string): Promise<RenderedImage> {
    const known = this.#directories.get(image);
    if (known !== undefined) return this.#render(known, image);
    const directory = path.resolve(base, image);
    const info = await stat(directory).catch(() => undefined);
    if (info?.isDirectory()) return this.#render(directory, this.#image);
    throw new OtsError(
      'NO_BUNDLE_OF_IMAGE',
      `The bundle of the image ${quoted(image)} is not known, and ots does not pull images`,
      {
        hint: `Add --bundle ${oneLine(image)}=directory, with the directory of the bundle.`,
      },
    );
  }

  async directory(source: string): Promise<RenderedImage> {
    if ((await this.kindOf(source)) === 'directory')
      return this.#render(path.resolve(this.#cwd, source), this.#image);
    throw new OtsError('NO_SOURCE', `${quoted(source)} is not a directory`, {
      hint: 'Name bundle directories only, or one template only.',
    });
  }

  async #render(directory: string, image: string | undefined): Promise<RenderedImage> {
    const bundle = await readBundle(directory);
    const [problem] = bundle.problems;
    const shown = path.relative(this.#cwd, directory);
    const detail = problem?.detail ?? renderProblem(bundle);
    if (detail !== undefined)
      throw new OtsError(
        'INVALID_BUNDLE',
        `${oneLine(path.join(shown, problem?.file ?? ''))}: ${oneLine(detail)}`,
        {
          hint: `Run ots bundle validate ${oneLine(shown)} to see everything that is wrong, and fix it.`,
        },
      );
    const { name, package: packageName } = bundle;
    const values: Readonly<Record<string, string>> = {
      package: packageName,
      name,
      version: bundle.csv?.csv.spec?.version ?? '',
    };
    const reference = (image ?? '').replaceAll(
      /\{(package|name|version)\}/g,
      (_, key: string) => values[key]!,
    );
    const wrong = reference === '' ? undefined : imageProblem(reference);
    if (wrong === undefined) return { bundle: renderBundle(bundle, reference), about: aboutPackage(bundle) };
    throw new OtsError('INVALID_IMAGE', `The image of ${oneLine(shown)} ${oneLine(wrong)}`, {
      hint: 'Use --image with a reference, such as registry.example.com/{package}-bundle:v{version}.',
    });
  }
}
