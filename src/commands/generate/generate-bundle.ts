import type { Context } from '../../context.ts';
import { type Build, buildWithKustomize } from '../../deploy/kustomize.ts';
import { setImage } from '../../deploy/set-image.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { csvFileName, firstCsv } from '../../olm/generate/base-csv.ts';
import type { JsonObject } from '../../olm/bundle/json.ts';
import { textOf, valueOf } from '../../olm/bundle/json.ts';
import {
  type BundleSources,
  type GeneratedBundle,
  generateBundle,
} from '../../olm/generate/generate-bundle.ts';
import { annotationsFile, dockerfile } from '../../olm/generate/metadata.ts';
import { type InputText, readInput } from '../../olm/generate/read-input.ts';
import { reportPlan } from '../../output/report-plan.ts';
import { checkImage } from '../../project/names/check-image.ts';
import { execute } from '../../scaffold/execute.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { findProjectRoot, projectFile } from '../../scaffold/project-root.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { packageVersion } from '../../version.ts';
import { reportOptions, workingDirectory } from '../shared/report-options.ts';
import { bundleDirectory } from './bundle-directory.ts';
import { type GenerateBundleOptions, checkOptions } from './bundle-options.ts';
import { inputTexts } from './input-texts.ts';
import { type PackageInfo, packageOf } from './package-of.ts';

const builder = `ots-v${packageVersion}`;

/**
 * `ots generate bundle`: writes the bundle of an operator for the Operator Lifecycle Manager.
 *
 * @param build for tests: builds without kustomize
 * @throws OtsError `INCOMPLETE_BUNDLE` with --strict, and of the flags, the input and the parts of the bundle
 */
export async function generateBundleFiles(
  options: GenerateBundleOptions,
  context: Context,
  build: Build = buildWithKustomize,
): Promise<void> {
  checkOptions(options);
  const fs = context.fs ?? diskFileSystem;
  const cwd = workingDirectory(options, context);
  const root = rootAround(context, cwd);
  const all = options.manifests === options.metadata;
  const report = reportOptions(options);
  let printed = '';
  const plan = await execute(
    { command: 'generate bundle', root, dryRun: report.dryRun, force: false, fs },
    async (tree) => {
      const run = { tree, options, context, ...packageOf(options.package, tree.read(projectFile)) };
      const directory = bundleDirectory(options.outputDir ?? 'bundle');
      const notes: string[] = [];
      if (all || options.manifests) {
        const texts = await inputTexts(options.input, { root, cwd, context, build });
        const input = readInput(withImage(texts, options, context));
        const generated = await generate({ ...run, directory }, input);
        refuseIncomplete(generated.problems, options);
        notes.push(...generated.problems, ...generated.notes);
        if (options.stdout) printed = printable(generated, createdNow(context));
        else notes.push(...stageManifests(generated, { ...run, directory }));
      }
      if (all || options.metadata) stageMetadata({ ...run, directory });
      const nextSteps = [`docker build -f bundle.Dockerfile -t <image> .`];
      return { notes: [...notes, ...channelNotes(options)], nextSteps };
    },
  );
  if (!options.stdout) return reportPlan(plan, report, context);
  context.stdout.write(printed);
  if (!report.quiet) for (const note of plan.notes) context.stderr.write(`note: ${note}\n`);
}

/** A bundle needs no project, only a name. */
function rootAround({ fs = diskFileSystem }: Context, cwd: string): string {
  try {
    return findProjectRoot(fs, cwd);
  } catch (error) {
    if (error instanceof OtsError && error.code === 'NO_PROJECT') return fs.realPath(cwd);
    throw error;
  }
}

/**
 * Sets the image of the manager. `IMG` is about the project, not about objects from elsewhere.
 *
 * @throws OtsError `INVALID_IMAGE`, `NO_MANAGER`; UsageError `CONFLICTING_FLAGS`
 */
function withImage(
  texts: readonly InputText[],
  { image: flag, input }: GenerateBundleOptions,
  { env }: Context,
): readonly InputText[] {
  const image = flag ?? (input === undefined ? env['IMG'] || undefined : undefined);
  if (image === undefined) return texts;
  checkImage(image);
  if (texts.length > 1) {
    throw new UsageError('CONFLICTING_FLAGS', '--image excludes an --input of several files', {
      hint: 'Name a file or a kustomization with --input, or set the image in the files.',
    });
  }
  return texts.map(({ name, text }) => ({ name, text: setImage(text, image) }));
}

/** What the steps of one run share. */
interface Run extends PackageInfo {
  readonly tree: Tree;
  readonly options: GenerateBundleOptions;
  readonly context: Context;
  /** The directory of the bundle, relative to the root. */
  readonly directory: string;
}

async function generate(run: Run, input: ReturnType<typeof readInput>): Promise<GeneratedBundle> {
  const { packageName, layout, options } = run;
  const formerFile = csvPath(run);
  const sources: BundleSources = {
    packageName,
    layout,
    builder,
    version: options.version,
    base: csvAt(run.tree, `config/manifests/bases/${csvFileName(packageName)}`),
    former: csvAt(run.tree, formerFile),
    formerFile,
    extraServiceAccounts: options.extraServiceAccounts ?? [],
  };
  const generated = generateBundle(input, sources);
  if (!options.useImageDigests) return generated;
  const { resolveDigests } = await import('../../images/resolve-digests.ts');
  return generateBundle(input, {
    ...sources,
    pinned: await resolveDigests(generated.images, run.context.env),
  });
}

function csvPath({ directory, packageName }: Run): string {
  return `${directory}/manifests/${csvFileName(packageName)}`;
}

function csvAt(tree: Tree, path: string): JsonObject | undefined {
  const text = tree.read(path);
  return text === undefined ? undefined : firstCsv(readInput([{ name: path, text }]).objects);
}

/** @throws OtsError `INCOMPLETE_BUNDLE` */
function refuseIncomplete(problems: readonly string[], { strict }: GenerateBundleOptions): void {
  if (!strict || problems.length === 0) return;
  throw new OtsError('INCOMPLETE_BUNDLE', `The bundle would not be complete: ${problems.join('; ')}`, {
    hint: 'Change the kustomization in config/manifests, or run the command without --strict.',
    details: { problems },
  });
}

/**
 * Stages the manifests. The time of creation changes only with the content.
 *
 * @returns notes
 * @throws OtsError `TWO_CSVS`
 */
function stageManifests(generated: GeneratedBundle, run: Run): string[] {
  const { tree, directory, context } = run;
  const manifests = `${directory}/manifests`;
  const csvFile = csvPath(run);
  const scorecardFile = `${directory}/tests/scorecard/config.yaml`;
  const others = new Map(Array.from(generated.objects, ([name, text]) => [`${manifests}/${name}`, text]));
  if (generated.scorecard !== undefined) others.set(scorecardFile, generated.scorecard);
  const created = createdAtIn(csvAt(tree, csvFile));
  const isSame =
    created !== undefined &&
    tree.read(csvFile) === generated.csv(created) &&
    [...others].every(([path, text]) => tree.read(path) === text);
  tree.generate(csvFile, generated.csv(isSame ? created : createdNow(context)));
  for (const [path, text] of others) tree.generate(path, text);
  const strangers = tree.list(manifests).filter((path) => path !== csvFile && !others.has(path));
  refuseSecondCsv(strangers);
  return strangers.map(
    (path) => `${path} is part of the bundle, but was not generated: remove it if it is old`,
  );
}

/** @throws OtsError `TWO_CSVS` */
function refuseSecondCsv(paths: readonly string[]): void {
  const second = paths.find((path) => path.endsWith(csvFileName('')));
  if (second === undefined) return;
  throw new OtsError(
    'TWO_CSVS',
    `${second} belongs to another package, and a bundle has one ClusterServiceVersion`,
    {
      hint: `Remove ${second}, or choose another directory with --output-dir.`,
    },
  );
}

function createdAtIn(csv: JsonObject | undefined): string | undefined {
  return textOf(valueOf(valueOf(csv, 'metadata'), 'annotations'), 'createdAt') || undefined;
}

/** RFC 3339, without fractions. SOURCE_DATE_EPOCH replaces the clock: https://reproducible-builds.org/specs/source-date-epoch. */
function createdNow({ env, now }: Context): string {
  const epoch = env['SOURCE_DATE_EPOCH'] ?? '';
  const time = /^\d{1,11}$/.test(epoch) ? new Date(Number(epoch) * 1000) : now();
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The ClusterServiceVersion first. */
function printable(generated: GeneratedBundle, createdAt: string): string {
  return [generated.csv(createdAt), ...generated.objects.values()].map((text) => `---\n${text}`).join('');
}

function stageMetadata(run: Run): void {
  const { tree, directory, options, packageName, layout } = run;
  const annotations = `${directory}/metadata/annotations.yaml`;
  const former = tree.read(annotations);
  if (former !== undefined && options.overwrite === false) return;
  const metadata = {
    packageName,
    layout,
    builder,
    channels: options.channels ?? ['alpha'],
    defaultChannel: options.defaultChannel,
    hasScorecard: tree.exists(`${directory}/tests/scorecard/config.yaml`),
  };
  tree.generate(annotations, annotationsFile(metadata, former, annotations));
  tree.generate('bundle.Dockerfile', dockerfile(metadata, directory, tree.read('bundle.Dockerfile')));
}

function channelNotes({ channels = ['alpha'], defaultChannel }: GenerateBundleOptions): string[] {
  if (defaultChannel === undefined || channels.includes(defaultChannel)) return [];
  return [
    `the default channel ${defaultChannel} is none of the channels of this bundle: another bundle of the package must have it`,
  ];
}
