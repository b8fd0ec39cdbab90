import type { ConnectionConfig } from './connection-config.ts';
import { connectionOf } from './connection-of.ts';
import { parseKubeconfig } from './read-kubeconfigs.ts';

/** Fields that let the reader of a kubeconfig run a program or open a file. */
const fieldsOfTheHost = [
  'exec',
  'auth-provider',
  'tokenFile',
  'client-certificate',
  'client-key',
  'certificate-authority',
];

/**
 * Reads the current context of a kubeconfig that others have written, such as one in a Secret. It must contain all of its
 * credentials: a program to run or a file to read would be one of the operator's own host, and the
 * author of the Secret would act as the operator there.
 * @param origin what follows "the kubeconfig" in errors.
 * @throws {ConnectionConfigError} if it names a program or a file, is malformed, or contradicts itself.
 */
export async function embeddedConfig(origin: string, text: string): Promise<ConnectionConfig> {
  const kubeconfig = await parseKubeconfig(origin, text);
  // All entries, not only those of the context, and before anything looks at a path: even whether a file exists is not theirs to know.
  for (const entry of [...kubeconfig.clusters.values(), ...kubeconfig.users.values()]) {
    const field = fieldsOfTheHost.find((each) => entry.raw(each) !== undefined);
    if (field === undefined) continue;
    throw entry.invalid(
      `it has ${field}, which would run a program or read a file of the operator`,
      'Put a token, or the data of certificates (client-certificate-data), into the kubeconfig.',
    );
  }
  return connectionOf(kubeconfig, undefined);
}
