import type { Dispatcher } from 'undici';
import type { LocalExchange, LocalRequest, LocalResponse } from '../kubeconfig/local-exchange.ts';
import type { Agents } from './agents.ts';

/** "Connections" to an API server in this process, which need no network. */
export function localAgents(exchange: LocalExchange): Agents {
  const open = new Set<AbortController>();
  const send = (request: LocalRequest, controller: AbortController): Promise<LocalResponse> => {
    open.add(controller);
    const ended = (): void => void open.delete(controller);
    const response = exchange(request);
    response.then((received) => {
      if (received.content) ended();
      else received.body.once('close', ended);
    }, ended);
    return response;
  };
  const watch: Agents['watch'] = ({ path, headers, signal }) => {
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const request = { method: 'GET', path, headers: inLowerCase(headers), body: null };
    return send({ ...request, signal: controller.signal }, controller);
  };
  const destroy = (): Promise<void> => {
    for (const controller of open) controller.abort(new Error('The client is destroyed'));
    return Promise.resolve();
  };
  return {
    requests: { dispatch: (options, handler) => dispatch(send, options, handler) },
    watch,
    close: () => Promise.resolve(),
    destroy,
  };
}

/** Sends one request and passes its response on, as a dispatcher of undici does. */
function dispatch(
  send: (request: LocalRequest, controller: AbortController) => Promise<LocalResponse>,
  { method, path, headers, body }: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): boolean {
  const aborting = new AbortController();
  const controller = new Controller(aborting);
  const failed = (error: unknown): void => handler.onResponseError?.(controller, error as Error);
  try {
    handler.onRequestStart?.(controller, undefined);
    const request = {
      method,
      path,
      headers: inLowerCase(headers as Record<string, string | string[]>),
      body: body as string | null,
      signal: aborting.signal,
    };
    send(request, aborting).then((response) => {
      const { status, headers: received, content } = response;
      handler.onResponseStart?.(controller, status, received, undefined);
      if (content) {
        if (content.length > 0) handler.onResponseData?.(controller, content);
        handler.onResponseEnd?.(controller, {});
        return;
      }
      response.body
        .on('data', (chunk: Buffer) => handler.onResponseData?.(controller, chunk))
        .once('end', () => handler.onResponseEnd?.(controller, {}))
        .once('error', failed);
    }, failed);
  } catch (error) {
    failed(error);
  }
  return true;
}

/** What a handler of undici uses to end its request. */
class Controller implements Dispatcher.DispatchController {
  readonly paused = false;
  readonly #aborting: AbortController;

  constructor(aborting: AbortController) {
    this.#aborting = aborting;
  }

  get aborted(): boolean {
    return this.#aborting.signal.aborted;
  }

  get reason(): Error | null {
    return (this.#aborting.signal.reason as Error | undefined) ?? null;
  }

  abort(reason: Error): void {
    this.#aborting.abort(reason);
  }

  pause(): void {}

  resume(): void {}
}

function inLowerCase(
  headers: Readonly<Record<string, string | string[]>>,
): Record<string, string | string[]> {
  const lower: Record<string, string | string[]> = {};
  for (const name of Object.keys(headers)) lower[name.toLowerCase()] = headers[name]!;
  return lower;
}
