import { isDeepStrictEqual } from 'node:util';
import { type Connection, send, serviceConversion } from 'ots-apiserver';
import type { ClientConfig } from './client-config.ts';

interface Conversion {
  strategy: string;
  webhook?: { clientConfig: ClientConfig };
}

interface Definition {
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { conversion: Conversion };
}

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Lets the Services of definitions convert between versions as long as something listens for them. The definitions of a
 * `TestEnvironment` have the strategy None before.
 *
 * @param resolve returns where to call the webhook of a Service; undefined when nothing listens for it
 */
export async function convertByServices(
  connection: Connection,
  resolve: (clientConfig: ClientConfig) => ClientConfig | undefined,
): Promise<void> {
  const { body } = await send(connection, 'GET', collection);
  const { items } = body as { items: Definition[] };
  await Promise.all(items.map((item) => convertBy(connection, item, resolve)));
}

async function convertBy(
  connection: Connection,
  { metadata: { name, annotations }, spec }: Definition,
  resolve: (clientConfig: ClientConfig) => ClientConfig | undefined,
): Promise<void> {
  const text = annotations?.[serviceConversion];
  if (text === undefined) return;
  const asked = JSON.parse(text) as Conversion & { webhook: { clientConfig: ClientConfig } };
  const clientConfig = resolve(asked.webhook.clientConfig);
  const conversion = clientConfig
    ? { ...asked, webhook: { ...asked.webhook, clientConfig } }
    : { strategy: 'None', webhook: null };
  if (isDeepStrictEqual(conversion, spec.conversion)) return;
  await send(
    connection,
    'PATCH',
    `${collection}/${name}`,
    { spec: { conversion } },
    'application/merge-patch+json',
  );
}
