import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { parseCatalog } from '../../olm/catalog/read-catalog.ts';
import { validateCatalog } from '../../olm/catalog/validate-catalog.ts';
import { oneLine } from '../../output/one-line.ts';
import { reportPlan } from '../../output/report-plan.ts';
import { renderDocuments } from '../../manifests/yaml.ts';
import type { Change } from '../../scaffold/change.ts';
import { type FileSystem, diskFileSystem } from '../../scaffold/file-system.ts';
import { isDirectory } from '../shared/is-directory.ts';
import { reportOptions, workingDirectory } from '../shared/report-options.ts';
import { type SourceOptions, renderSources } from './render-sources.ts';
import { printFindings } from './print-findings.ts';
import { writeFile } from '../shared/write-file.ts';

/** The flags of `ots catalog build`. */
interface BuildOptions extends SourceOptions {
  directory: string;
}

const catalogFile = 'catalog.yaml';

/**
 * `ots catalog build`: renders a catalog, and writes it with a Dockerfile if it is valid. It keeps an existing Dockerfile.
 *
 * @throws OtsError `INVALID_CATALOG`, `NO_DIRECTORY`, and the errors of {@link renderSources}
 */
export async function build(options: BuildOptions, context: Context): Promise<void> {
  const text = renderDocuments(await renderSources(options, context));
  const { findings } = validateCatalog(parseCatalog(catalogFile, text));
  if (findings.length > 0) {
    if (!options.json) printFindings(findings, options.directory, context);
    throw new OtsError('INVALID_CATALOG', 'The catalog would be invalid; nothing was written', {
      hint: 'Name a template that has a package and channels: docs/olm.md shows both kinds.',
      details: { findings },
    });
  }
  const fs = context.fs ?? diskFileSystem;
  const root = workingDirectory(options, context);
  const directory = resolve(root, options.directory);
  const dockerfile = `${directory}.Dockerfile`;
  const files = [
    { file: join(directory, catalogFile), content: text },
    ...(fs.kind(dockerfile) === undefined
      ? [{ file: dockerfile, content: dockerfileOf(basename(directory)) }]
      : []),
  ];
  const report = reportOptions(options);
  const changes = files.flatMap(({ file, content }) => changeOf(file, content, root, fs));
  if (!report.dryRun) write(directory, changes, root, fs);
  const shown = relative(context.cwd, dockerfile);
  const plan = {
    command: 'catalog build',
    root,
    changes,
    unchanged: [...files.map(({ file }) => file), dockerfile]
      .map((file) => relative(root, file))
      .filter(
        (path, index, all) => all.indexOf(path) === index && !changes.some((change) => change.path === path),
      ),
    notes: [],
    nextSteps: [`docker build -f ${shown} -t <registry>/<catalog>:<tag> ${dirname(shown)}`],
  };
  await reportPlan(plan, report, context);
}

function changeOf(file: string, content: string, root: string, fs: FileSystem): Change[] {
  const before = fs.read(file);
  const after = Buffer.from(content);
  if (before?.equals(after)) return [];
  const action = before ? 'update' : 'create';
  return [
    { path: relative(root, file), action, origin: 'generated', before, after, mode: 0o644, forced: false },
  ];
}

function write(directory: string, changes: readonly Change[], root: string, fs: FileSystem): void {
  if (fs.kind(directory) === undefined) {
    if (!isDirectory(fs, dirname(directory)))
      throw new OtsError('NO_DIRECTORY', `The directory ${oneLine(dirname(directory))} does not exist`, {
        hint: 'Create it, or choose another one with --directory.',
      });
    fs.makeDirectory(directory);
  }
  if (!isDirectory(fs, directory))
    throw new OtsError('NO_DIRECTORY', `${oneLine(directory)} is not a directory`, {
      hint: 'Choose another one with --directory.',
    });
  for (const { path, after } of changes)
    writeFile(resolve(root, path), after!.toString('utf8'), { dryRun: false, flag: '--directory' }, fs);
}

/** For OLM v0, which runs the image, and OLM v1, which reads the directory that the label names. */
function dockerfileOf(directory: string): string {
  return `# The catalog in ${JSON.stringify(directory)}, with a cache that lets the server start fast.
FROM quay.io/operator-framework/opm:latest AS builder
COPY [${JSON.stringify(directory)}, "/configs"]
RUN ["/bin/opm", "serve", "/configs", "--cache-dir=/tmp/cache", "--cache-only"]

FROM quay.io/operator-framework/opm:latest
ENTRYPOINT ["/bin/opm"]
CMD ["serve", "/configs", "--cache-dir=/tmp/cache"]
COPY --from=builder /configs /configs
COPY --from=builder /tmp/cache /tmp/cache
LABEL operators.operatorframework.io.index.configs.v1=/configs
`;
}
