import { type Connection, send } from 'ots-apiserver';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';

const daySeconds = 24 * 60 * 60;

/**
 * Requests a token of a ServiceAccount.
 *
 * @param administrator who may request it
 * @param seconds how long it is valid. Default: a day
 * @throws {TestEnvironmentError} when the account does not exist
 */
export async function requestToken(
  administrator: Connection,
  { namespace, serviceAccount }: { namespace: string; serviceAccount: string },
  seconds = daySeconds,
): Promise<string> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(serviceAccount)}/token`;
  const { code, body } = await send(administrator, 'POST', path, {
    spec: { expirationSeconds: seconds },
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of the API
  const { status, message } = body as { status?: { token?: string }; message?: string };
  if (code === 201 && status?.token !== undefined) return status.token;
  throw new TestEnvironmentError(
    `The server issued no token for the ServiceAccount ${namespace}/${serviceAccount}: ${message ?? `status ${code}`}`,
    "Create the namespace and the ServiceAccount first, for example with 'objects'.",
  );
}
