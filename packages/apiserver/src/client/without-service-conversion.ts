import type { ApiObject } from '../json/api-object.ts';
import { isObject } from '../json/json-object.ts';

/**
 * Makes a definition usable without a reachable Service: if a Service converts its versions, it gets the strategy None, which
 * only changes the `apiVersion` of objects. A webhook at a URL stays.
 */
export function withoutServiceConversion(crd: ApiObject): ApiObject {
  const spec = crd['spec'];
  if (!isObject(spec) || !namesService(spec['conversion'])) return crd;
  return { ...crd, spec: { ...spec, conversion: { strategy: 'None' } } };
}

function namesService(conversion: unknown): boolean {
  const webhook = isObject(conversion) ? conversion['webhook'] : undefined;
  const clientConfig = isObject(webhook) ? webhook['clientConfig'] : undefined;
  return isObject(clientConfig) && isObject(clientConfig['service']);
}
