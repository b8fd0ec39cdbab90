import { join, relative, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { type Build } from '../../deploy/kustomize.ts';
import { OtsError } from '../../errors/ots-error.ts';
import type { InputText } from '../../olm/generate/read-input.ts';
import { quoted } from '../../project/names/quoted.ts';
import { type FileSystem, diskFileSystem } from '../../scaffold/file-system.ts';

/** The kustomization that the bundle is made from. */
const manifestsDirectory = 'config/manifests';
const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
const maxInput = 64 * 2 ** 20;

/** Where a command runs. */
interface Place {
  /** The root of the project. */
  readonly root: string;
  /** The directory to which the flag is relative. */
  readonly cwd: string;
  readonly context: Context;
  readonly build: Build;
}

/**
 * The texts with the objects: of the file or the directory, of standard input for `-`, or of the kustomization config/manifests.
 *
 * @throws OtsError `NO_INPUT`, `LARGE_INPUT`, and of the build
 */
export async function inputTexts(input: string | undefined, place: Place): Promise<readonly InputText[]> {
  const { root, cwd, context, build } = place;
  const fs = context.fs ?? diskFileSystem;
  if (input === '-') return [{ name: 'standard input', text: await readAll(context.stdin) }];
  const path = input === undefined ? join(root, manifestsDirectory) : resolve(cwd, input);
  const name = relative(cwd, path) || '.';
  const kind = fs.kind(path) && fs.kind(fs.realPath(path));
  if (kind === undefined) throw noInput(input);
  if (kind !== 'directory') return [{ name, text: readText(fs, path, name) }];
  const names = fs.list(path);
  if (kustomizationNames.some((each) => names.includes(each))) {
    const directory = relative(root, path);
    return [
      {
        name: `the build of ${directory || '.'}`,
        text: await build(directory || '.', { root, env: context.env }),
      },
    ];
  }
  if (input === undefined) throw noInput(input);
  return filesIn(fs, path).map((file) => ({
    name: relative(cwd, file),
    text: readText(fs, file, relative(cwd, file)),
  }));
}

function noInput(input: string | undefined): OtsError {
  if (input !== undefined) {
    return new OtsError('NO_INPUT', `${quoted(input)} of --input does not exist`, {
      hint: 'Name a file or a directory, or - for standard input.',
    });
  }
  return new OtsError('NO_INPUT', `There is no kustomization in ${manifestsDirectory}`, {
    hint: 'Give the output of kustomize: kubectl kustomize config/default | ots generate bundle --input -',
  });
}

/** The YAML and JSON files of a directory and of those below it. Does not follow links. */
function filesIn(fs: FileSystem, directory: string): string[] {
  return fs.list(directory).flatMap((name) => {
    const path = join(directory, name);
    const kind = fs.kind(path);
    if (kind === 'directory') return filesIn(fs, path);
    return kind === 'file' && /\.(?:ya?ml|json)$/.test(name) ? [path] : [];
  });
}

function readText(fs: FileSystem, path: string, name: string): string {
  const content = fs.read(path);
  if (content && content.length > maxInput) throw tooLarge(name);
  return content?.toString('utf8') ?? '';
}

function tooLarge(name: string): OtsError {
  return new OtsError('LARGE_INPUT', `${name} is larger than ${maxInput / 2 ** 20} MiB`, {
    hint: 'Give the output of kubectl kustomize config/manifests only.',
  });
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const buffer = Buffer.from(chunk as Buffer | string);
    length += buffer.length;
    if (length > maxInput) throw tooLarge('standard input');
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
