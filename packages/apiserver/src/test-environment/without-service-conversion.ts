import type { ApiObject } from '../json/api-object.ts';
import { isObject } from '../json/json-object.ts';

/**
 * Makes a definition usable where no Service can be reached: one whose versions a Service converts gets the strategy None,
 * with which only the `apiVersion` of objects changes. A webhook at a URL stays.
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
