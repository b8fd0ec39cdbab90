import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import { readBundle } from '../../olm/bundle/read-bundle.ts';
import { aboutPackage, renderBundle, renderProblem } from '../../olm/catalog/render-bundle.ts';
import { renderTemplate, sorted } from '../../olm/catalog/render-catalog.ts';
import type { RenderedImage } from '../../olm/catalog/semver-template.ts';
import { TemplateError } from '../../olm/catalog/template-error.ts';
import { imageProblem } from '../../images/image-problem.ts';
import { oneLine } from '../../output/one-line.ts';
import { quoted } from '../../project/names/quoted.ts';
import { bundleAt, isImage } from '../shared/bundle-argument.ts';
import { workingDirectory } from '../shared/report-options.ts';

/** The flags of commands that render bundles. */
export interface SourceOptions extends CommonOptions {
  /** Directories and images, or a template. */
  sources?: readonly string[];
  image?: string;
  /** Each as image=directory. */
  bundle: readonly string[];
}

const usage = 'ots catalog render bundle --image registry.example.com/my-operator-bundle:v0.0.1';

/**
 * Renders the bundles or the template that the user named.
 *
 * @returns the objects of a catalog, in the order in which they are written
 * @throws UsageError `NO_BUNDLE` without a source, `INVALID_BUNDLE` for a malformed --bundle
 * @throws OtsError `INVALID_BUNDLE`, `INVALID_IMAGE`, `INVALID_TEMPLATE`, `NO_SOURCE`, `IMAGE_PULL`, `CREDENTIALS`
 */
export async function renderSources(options: SourceOptions, context: Context): Promise<object[]> {
  const { sources = [] } = options;
  const [first] = sources;
  if (first === undefined)
    throw new UsageError('NO_BUNDLE', 'A bundle or a template is missing', {
      hint: `Name it, such as ${usage}.`,
    });
  const renderer = new Renderer(options, workingDirectory(options, context), context);
  if ((await renderer.kindOf(first)) === 'file' && sources.length === 1) return renderer.template(first);
  const bundles = [];
  for (const source of sources) bundles.push({ ...(await renderer.source(source)).bundle });
  return sorted(bundles);
}

class Renderer {
  readonly #image: string | undefined;
  readonly #cwd: string;
  readonly #context: Context;
  /** The directories of images, absolute. */
  readonly #directories: ReadonlyMap<string, string>;

  constructor({ image, bundle }: SourceOptions, cwd: string, context: Context) {
    this.#image = image;
    this.#cwd = cwd;
    this.#context = context;
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

  async kindOf(source: string): Promise<'file' | 'directory' | 'image'> {
    const info = await stat(path.resolve(this.#cwd, source)).catch(() => undefined);
    if (info?.isDirectory()) return 'directory';
    if (info?.isFile()) return 'file';
    if (!info && isImage(source)) return 'image';
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
    try {
      return await this.#pull(image, image);
    } catch (error) {
      if (!(error instanceof OtsError) || error.code !== 'IMAGE_PULL') throw error;
      const hint = `Push the image, or add --bundle ${oneLine(image)}=directory, with the directory of its bundle.`;
      throw new OtsError(error.code, error.message, { hint, cause: error });
    }
  }

  async #pull(source: string, image: string): Promise<RenderedImage> {
    const { bundle } = await bundleAt(source, usage, this.#cwd, this.#context);
    return this.#rendered(bundle, source, image);
  }

  async source(source: string): Promise<RenderedImage> {
    const kind = await this.kindOf(source);
    if (kind === 'directory') return this.#render(path.resolve(this.#cwd, source), this.#image);
    if (kind === 'image') return this.#pull(source, this.#image ?? source);
    throw new OtsError('NO_SOURCE', `${quoted(source)} is not a directory`, {
      hint: 'Name bundles only, or one template only.',
    });
  }

  async #render(directory: string, image: string | undefined): Promise<RenderedImage> {
    return this.#rendered(await readBundle(directory), path.relative(this.#cwd, directory), image);
  }

  /** @param shown what the user calls the bundle */
  #rendered(bundle: Bundle, shown: string, image: string | undefined): RenderedImage {
    const [problem] = bundle.problems;
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
