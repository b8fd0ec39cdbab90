import { sep } from 'node:path';
import type { Entry } from './entry.ts';
import type { ExecPluginConfig } from './connection-config.ts';
import { printable } from './printable.ts';

const group = 'client.authentication.k8s.io';
const versions = new Set([`${group}/v1`, `${group}/v1beta1`]);
const modes = ['Never', 'IfAvailable', 'Always'] as const;

/**
 * Reads the credential plugin that `exec` describes.
 * @throws {ConnectionConfigError} when a required field is missing, or the API version is not supported.
 */
export function execPluginOf(exec: Entry): ExecPluginConfig {
  const command = exec.text('command');
  if (!command) throw exec.invalid('command is missing');
  // Errors quote it.
  if (command !== printable(command))
    throw exec.invalid('command has control characters, or spaces around it');
  const apiVersion = exec.text('apiVersion');
  if (!apiVersion) throw exec.invalid('apiVersion is missing');
  if (!versions.has(apiVersion)) {
    throw exec.invalid(
      `apiVersion ${JSON.stringify(apiVersion)} is not supported`,
      `Update the plugin to one that speaks ${group}/v1, and generate the kubeconfig again.`,
    );
  }
  const installHint = exec.text('installHint');
  return {
    apiVersion,
    // A path starts from the kubeconfig's folder; a bare name is looked up in PATH.
    command: command.includes(sep) ? exec.resolve(command) : command,
    args: exec.texts('args') ?? [],
    env: exec.entries('env').map(variable),
    provideClusterInfo: exec.flag('provideClusterInfo'),
    interactiveMode: modeOf(exec, apiVersion),
    ...(installHint !== undefined && { installHint }),
  };
}

function variable(entry: Entry): { name: string; value: string } {
  const name = entry.text('name');
  if (!name) throw entry.invalid('a variable has no name');
  return { name, value: entry.text('value') ?? '' };
}

function modeOf(exec: Entry, apiVersion: string): (typeof modes)[number] {
  const text = exec.text('interactiveMode');
  // KEP-541: only versions before v1 may omit it.
  if (text === undefined && apiVersion !== `${group}/v1`) return 'IfAvailable';
  const mode = modes.find((known) => known === text);
  if (mode) return mode;
  throw exec.invalid(`interactiveMode must be one of ${modes.join(', ')}`);
}
