import {
  type OutgoingHttpHeaders,
  type RequestListener,
  createServer,
  request as sendRequest,
} from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { ExchangeRequest, ExchangeResponse } from 'ots-apiserver';

/**
 * Lets a handler of HTTP requests answer requests of this process: with the bytes that a network would carry, but without sockets,
 * whose timing varies.
 *
 * @returns a function that sends a request. It rejects with the error of a connection that breaks, or the reason of the signal.
 */
export function exchangeWith(
  handler: RequestListener,
): (request: ExchangeRequest) => Promise<ExchangeResponse> {
  // It never listens: connections are pairs of streams.
  const server = createServer(handler);
  return (request) => {
    const [near, far] = duplexPair();
    server.emit('connection', far);
    return exchangeOver(near, request);
  };
}

/**
 * Sends a request over a connection of its own.
 *
 * @returns the response when its head has arrived. It rejects with the error of a connection that breaks, or the reason of the signal.
 */
export function exchangeOver(
  connection: Duplex,
  { method, path, headers, body, signal }: ExchangeRequest,
): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => {
    const sent = headers as OutgoingHttpHeaders;
    const outgoing = sendRequest({ method, path, headers: sent, createConnection: () => connection });
    // As on a connection that stays open.
    outgoing.removeHeader('connection');
    const giveUp = () => {
      reject(signal?.reason);
      outgoing.destroy();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    outgoing.once('close', () => signal?.removeEventListener('abort', giveUp));
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.once('close', () => connection.destroy());
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response });
    });
    if (signal?.aborted) giveUp();
    else outgoing.end(body ?? undefined);
  });
}
