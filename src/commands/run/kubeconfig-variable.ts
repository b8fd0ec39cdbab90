import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';
import { workingDirectory } from '../shared/report-options.ts';

/** The environment that makes a program use a cluster. */
interface KubeconfigVariable {
  readonly env: { readonly KUBECONFIG?: string };
  /** Removes the file that it names, after the program has ended. */
  remove(): void;
}

/**
 * Chooses the kubeconfig and the context of a program that has a flag for neither. Of several files in `KUBECONFIG`, the first one that
 * names a current context wins, so a file with nothing else chooses it, and no credentials are copied.
 */
export function kubeconfigVariable(options: ClusterOptions, context: Context): KubeconfigVariable {
  const { kubeconfig, context: name } = options;
  const { env, cwd } = context;
  const listed = env['KUBECONFIG']?.split(delimiter).filter((file) => file !== '') ?? [];
  // The program runs in the root of the project.
  const files = kubeconfig
    ? [resolve(workingDirectory(options, context), kubeconfig)]
    : listed.map((file) => resolve(cwd, file));
  if (name === undefined) {
    const variable = files.length > 0 ? { KUBECONFIG: files.join(delimiter) } : {};
    return { env: variable, remove: () => {} };
  }
  const directory = mkdtempSync(join(tmpdir(), 'ots-run-'));
  const choice = join(directory, 'context');
  const content = { apiVersion: 'v1', kind: 'Config', 'current-context': name };
  writeFileSync(choice, JSON.stringify(content), { mode: 0o600 });
  const rest = files.length > 0 ? files : [join(env['HOME'] ?? homedir(), '.kube', 'config')];
  return {
    env: { KUBECONFIG: [choice, ...rest].join(delimiter) },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
