import type { ServiceReference, WebhookClientConfig } from 'ots-kubernetes/admissionregistration/v1';
import { subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, required } from '../status/field-error.ts';

const form = '; desired format: https://host[/path]';

/** Validates the address of a webhook: a URL, or a service. */
export function validateClientConfig({ url, service }: WebhookClientConfig, path: string): FieldError[] {
  if ((url === undefined) === (service === undefined))
    return [required(path, 'exactly one of url or service is required')];
  if (url !== undefined) return validateUrl(url, `${path}.url`);
  return service ? validateService(service, `${path}.service`) : [];
}

function validateUrl(text: string, field: string): FieldError[] {
  // As Go parses it: every part may be missing.
  const [, scheme = '', authority = '', query = '', fragment = ''] =
    /^(?:([A-Za-z][-+.A-Za-z0-9]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(text) ?? [];
  const [, user, host = ''] = /^(?:(.*)@)?([^@]*)$/s.exec(authority) ?? [];
  return [
    ...(scheme.toLowerCase() === 'https'
      ? []
      : [invalid(field, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalid(field, host, `host must be specified${form}`)] : []),
    ...(user === undefined ? [] : [invalid(field, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(field, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(field, query, 'query parameters are not permitted in the URL')]),
  ];
}

function validateService(service: ServiceReference, path: string): FieldError[] {
  const { name, namespace, port = 0, path: urlPath = '' } = service;
  return [
    // A real server mixes the two up.
    ...(namespace === '' ? [required(`${path}.name`)] : []),
    ...(name === '' ? [required(`${path}.namespace`)] : []),
    ...(port >= 1 && port <= 65535
      ? []
      : [invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')]),
    ...validateUrlPath(urlPath, `${path}.path`),
  ];
}

function validateUrlPath(text: string, field: string): FieldError[] {
  if (text === '' || text === '/') return [];
  if (text === '//') return [invalid(field, text, 'segment[0] may not be empty')];
  const steps = text.slice(1).replace(/\/$/, '').split('/');
  return [
    ...(text.startsWith('/') ? [] : [invalid(field, text, "must start with a '/'")]),
    ...steps.flatMap((step, index) =>
      (step === '' ? [' may not be empty'] : subdomain(step).map((message) => `: ${message}`)).map(
        (message) => invalid(field, text, `segment[${index}]${message}`),
      ),
    ),
  ];
}
