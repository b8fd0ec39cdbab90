import { createRequire } from 'node:module';
import type * as UndiciModule from 'undici';
import type { Dispatcher } from 'undici';
import { partsOf } from '../loading/parts-of.ts';

/** What is used of the HTTP client. */
export interface Undici extends Pick<typeof UndiciModule, 'Pool' | 'buildConnector'> {
  /** A method of dispatchers, which only all of undici gives them. */
  request: Dispatcher['request'];
}

const require = createRequire(import.meta.url);

/**
 * Loads the client. With the first request: it is the greater part of what this package costs at start.
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

/** Its client of HTTP proxies, which works with all of undici only. */
export function loadProxyAgent(): typeof UndiciModule.ProxyAgent {
  return (require('undici') as typeof UndiciModule).ProxyAgent;
}
