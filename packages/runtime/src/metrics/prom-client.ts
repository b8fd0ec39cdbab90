import type * as PromClientModule from 'prom-client';
import { partsOf } from '../loading/parts-of.ts';

type PromClient = Pick<typeof PromClientModule, 'Counter' | 'Gauge' | 'Histogram' | 'Registry'>;

/**
 * Loads the parts of prom-client that the runtime uses: the same classes that the program sees if it uses prom-client.
 * @param load for tests.
 */
export function loadPromClient(load?: (id: string) => unknown): PromClient {
  return partsOf<PromClient>(
    {
      Counter: 'prom-client/lib/counter.js',
      Gauge: 'prom-client/lib/gauge.js',
      Histogram: 'prom-client/lib/histogram.js',
      Registry: 'prom-client/lib/registry.js',
    },
    (loadWhole) => loadWhole('prom-client') as PromClient,
    load,
  );
}
