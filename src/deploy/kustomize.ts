import type { UnstructuredObject } from 'ots-runtime';
import { parseAllDocuments } from 'yaml';
import { OtsError } from '../errors/ots-error.ts';
import { oneLine } from '../output/one-line.ts';

/** Builds the objects of a directory with a kustomization, as YAML. */
export type Build = (directory: string, options: BuildOptions) => Promise<string>;

interface BuildOptions {
  /** The root of the project, in which the program runs. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Flags that would connect kubectl to another cluster than the command. */
const connectionFlag = /^(?:--(?:context|kubeconfig|server|cluster|user)(?:=|$)|-s)/;

/**
 * Runs kustomize: the one in `KUBECTL`, or else in kubectl, or else the program kustomize.
 *
 * @param directory relative to the root of the project
 * @throws OtsError `NO_KUSTOMIZE`, `KUSTOMIZE_FAILED`, or `KUBECTL_FLAGS` if `KUBECTL` names a cluster
 */
export const buildWithKustomize: Build = async (directory, { root, env }) => {
  const { execa } = await import('execa');
  for (const [program, ...args] of buildersIn(env)) {
    const result = await execa(program, [...args, directory], {
      cwd: root,
      env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    if (result.code === 'ENOENT') continue;
    if (!result.failed) return `${result.stdout}\n`;
    const reason = oneLine(result.stderr.trim().split('\n').at(-1) || (result.shortMessage ?? ''));
    throw new OtsError(
      'KUSTOMIZE_FAILED',
      `${[program, ...args].join(' ')} cannot build ${directory}: ${reason}`,
      {
        hint: `Correct the kustomization. To see the whole message, run ${[program, ...args, directory].join(' ')}.`,
      },
    );
  }
  throw new OtsError(
    'NO_KUSTOMIZE',
    env['KUBECTL']
      ? `KUBECTL names ${oneLine(env['KUBECTL'])}, which is not installed`
      : 'Neither kubectl nor kustomize is installed',
    { hint: 'Install kubectl, which contains kustomize, and add its directory to PATH.' },
  );
};

function buildersIn(env: NodeJS.ProcessEnv): readonly (readonly [string, ...string[]])[] {
  const [program, ...args] = env['KUBECTL']?.trim().split(/\s+/) ?? [];
  if (!program)
    return [
      ['kubectl', 'kustomize'],
      ['kustomize', 'build'],
    ];
  const flag = args.find((arg) => connectionFlag.test(arg));
  if (flag !== undefined) {
    throw new OtsError(
      'KUBECTL_FLAGS',
      `KUBECTL chooses a cluster with ${oneLine(flag)}, but ots does not apply objects with kubectl`,
      {
        hint: 'Remove the flag from KUBECTL, and choose the cluster with --context or --kubeconfig.',
      },
    );
  }
  return [[program, ...args, 'kustomize']];
}

/**
 * Parses the objects of a build.
 *
 * @throws OtsError `INVALID_BUILD` for what is not a Kubernetes object with a name
 */
export function parseObjects(text: string): UnstructuredObject[] {
  return parseAllDocuments(text, { logLevel: 'error' }).flatMap((document) => {
    const object = document.toJS() as UnstructuredObject | null;
    if (object === null) return [];
    if (object.apiVersion && object.kind && object.metadata?.name) return [object];
    throw new OtsError('INVALID_BUILD', 'The build contains an object without apiVersion, kind or name', {
      hint: 'Compare the output of kubectl kustomize with the files in config/.',
    });
  });
}
