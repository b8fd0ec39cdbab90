import type { ApiServer, CallResponse, ExchangeRequest } from 'ots-apiserver';
import type { Delivery } from './delivery.ts';
import { whatOf } from './describe-request.ts';
import { type Channel, brokenConnection } from './simulated-exchange.ts';

/**
 * Asks a server of this process when it is the turn of the request among the deliveries. The response is there at once.
 *
 * @param about who asks for what
 * @returns the answer of {@link ApiServer.call}
 * @throws what the server throws; an error with the code `ECONNRESET` when the request is dropped
 */
export function callThrough(
  { deliveries, activities }: Channel,
  server: Pick<ApiServer, 'call'>,
  about: Omit<Delivery, 'kind'>,
  request: ExchangeRequest,
): Promise<CallResponse | undefined> {
  const arrived = activities.wait();
  return new Promise((resolve, reject) => {
    const ask = async (): Promise<void> => {
      try {
        resolve(await server.call(request));
      } catch (error) {
        reject(error);
      } finally {
        arrived();
      }
    };
    const broken = () => {
      arrived();
      reject(brokenConnection());
    };
    const exchange = { pending: [], break: broken };
    deliveries.add(exchange, { ...about, kind: 'request' }, () => void activities.run(whatOf(about), ask));
  });
}
