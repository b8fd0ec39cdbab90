import { installCrds } from 'ots-apiserver';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Client, isAlreadyExists } from 'ots-runtime';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import type { Installation } from './installation.ts';

/**
 * Installs what is missing of OLM. What exists stays, such as after `ots olm install`.
 *
 * @throws {InstallError} (of ots-apiserver) when the server refuses a definition
 */
export async function installOlm(
  connection: TestEnvironment['config'],
  installation: Installation,
): Promise<void> {
  const client = new Client(connection);
  try {
    await install(connection, client, installation);
  } finally {
    await client.close();
  }
}

async function install(
  connection: TestEnvironment['config'],
  client: Client,
  { definitions, objects }: Installation,
): Promise<void> {
  const existing = await Promise.all(
    definitions.map(({ metadata }) => client.get(CustomResourceDefinition, { name: metadata.name! })),
  );
  await installCrds(
    connection,
    definitions.filter((_, index) => !existing[index]).map((each) => ({ ...each })),
  );
  for (const object of objects) {
    const kind = await client.mapper.kindFor(object.apiVersion, object.kind);
    await client.create(kind, { ...object }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
}
