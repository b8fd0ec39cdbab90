import { type Conversion, ConversionBuilder, type Manager } from 'ots-runtime';
import { Memcached as Hub } from '../../api/v1/memcached.ts';
import { Memcached as Spoke } from '../../api/v2/memcached.ts';

/**
 * Converts Memcached between v2 and v1, the version that all others are converted to and from. It must
 * not lose information there and back.
 *
 * TODO: write both directions without type assertions. Now they leave every field as it is, which is right
 * only where v2 and v1 agree. A test fails until you remove this paragraph.
 *
 * @conversion group=cache.example.com kind=Memcached
 */
export const memcachedV2Conversion: Conversion<Hub, Spoke> = {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  convertTo: (spoke) => ({ ...spoke, apiVersion: 'cache.example.com/v1' }) as unknown as Hub,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  convertFrom: (hub) => ({ ...hub, apiVersion: 'cache.example.com/v2' }) as unknown as Spoke,
};

/** Adds the conversion to the manager. */
export function setupMemcachedV2Conversion(manager: Manager): void {
  new ConversionBuilder(manager, Hub).withSpoke(Spoke, memcachedV2Conversion).complete();
}
