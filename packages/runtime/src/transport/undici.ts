import { createRequire } from 'node:module';
import type * as UndiciModule from 'undici';
import type { Dispatcher } from 'undici';
import { partsOf } from '../loading/parts-of.ts';

/** The parts of the HTTP client that the transport uses. */
export interface Undici extends Pick<typeof UndiciModule, 'Pool' | 'buildConnector'> {
  /** A method of dispatchers, which only the complete undici module adds. */
  request: Dispatcher['request'];
}

const require = createRequire(import.meta.url);

/**
 * Loads the client with the first request: it takes most of this package's startup time.
 * @param load for tests.
 */
export function loadUndici(load?: (id: string) => unknown): Undici {
  return partsOf<Undici>(
    {
      Pool: 'undici/lib/dispatcher/pool.js',
      buildConnector: 'undici/lib/core/connect.js',
      request: 'undici/lib/api/api-request.js',
    },
    (loadWhole) => {
      const { Pool, buildConnector, Dispatcher } = loadWhole('undici') as typeof UndiciModule;
      // oxlint-disable-next-line typescript/unbound-method -- it is called on the dispatcher at hand
      const { request } = Dispatcher.prototype;
      return { Pool, buildConnector, request };
    },
    load,
  );
}

/** Loads the client for HTTP proxies, which works only with the complete undici module. */
export function loadProxyAgent(): typeof UndiciModule.ProxyAgent {
  return (require('undici') as typeof UndiciModule).ProxyAgent;
}
