import type { ApiObject } from '../json/api-object.ts';
import { isObject } from '../json/json-object.ts';

/** Keeps the conversion that a definition lost, as JSON, for tests that map the Service. */
export const serviceConversion = 'apiserver.ots/service-conversion';

/**
 * Makes a definition usable without a reachable Service: if a Service converts its versions, it gets the strategy None, which
 * only changes the `apiVersion` of objects, and {@link serviceConversion} as an annotation. A webhook at a URL stays.
 */
export function withoutServiceConversion(crd: ApiObject): ApiObject {
  const { spec, metadata } = crd;
  if (!isObject(spec) || !namesService(spec['conversion'])) return crd;
  const annotations = { ...metadata.annotations, [serviceConversion]: JSON.stringify(spec['conversion']) };
  return {
    ...crd,
    metadata: { ...metadata, annotations },
    spec: { ...spec, conversion: { strategy: 'None' } },
  };
}

function namesService(conversion: unknown): boolean {
  const webhook = isObject(conversion) ? conversion['webhook'] : undefined;
  const clientConfig = isObject(webhook) ? webhook['clientConfig'] : undefined;
  return isObject(clientConfig) && isObject(clientConfig['service']);
}
