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
  if (!isObject(spec) || !convertingService(crd)) return crd;
  const annotations = { ...metadata.annotations, [serviceConversion]: JSON.stringify(spec['conversion']) };
  return {
    ...crd,
    metadata: { ...metadata, annotations },
    spec: { ...spec, conversion: { strategy: 'None' } },
  };
}

/** The Service that converts the versions of a definition, as `namespace/name`; undefined without one. */
export function convertingService({ spec }: ApiObject): string | undefined {
  const conversion = isObject(spec) ? spec['conversion'] : undefined;
  const webhook = isObject(conversion) ? conversion['webhook'] : undefined;
  const clientConfig = isObject(webhook) ? webhook['clientConfig'] : undefined;
  const service = isObject(clientConfig) ? clientConfig['service'] : undefined;
  return isObject(service) ? `${String(service['namespace'])}/${String(service['name'])}` : undefined;
}
