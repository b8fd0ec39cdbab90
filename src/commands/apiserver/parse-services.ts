import { isDns1035Label, isDnsLabel } from 'ots-apimachinery/names';
import { UsageError } from '../../errors/usage-error.ts';

const form =
  "Write namespace/name=https://host:port, such as system/webhook-service=https://127.0.0.1:9443, or '*=https://host:port' for every other Service.";

/**
 * Parses the values of `--service`.
 *
 * @returns the addresses without a path, by `namespace/name` or `*`
 * @throws {UsageError} for a value that does not map a Service to an https address, and for a Service that two values map
 */
export function parseServices(values: readonly string[]): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const value of values) {
    const [, service = '', url] = /^([^=]*)=(.*)$/s.exec(value) ?? [];
    if (url === undefined) throw invalid(`${JSON.stringify(value)} does not map a Service to an address`);
    if (!isService(service)) throw invalid(`${JSON.stringify(service)} is not the name of a Service`);
    if (addresses.has(service)) {
      throw invalid(`--service maps ${service} twice`, 'Give each Service one address.');
    }
    addresses.set(service, addressOf(url));
  }
  return addresses;
}

function isService(text: string): boolean {
  const [namespace = '', name = '', ...rest] = text.split('/');
  return text === '*' || (rest.length === 0 && isDnsLabel(namespace) && isDns1035Label(name));
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') {
    throw invalid(`${JSON.stringify(text)} is not an https URL`);
  }
  if (url.href !== `${url.origin}/`) {
    throw invalid(
      `${JSON.stringify(text)} has more than a host and a port`,
      'Write https://host:port: the path comes from the configuration of the webhook.',
    );
  }
  return url.origin;
}

function invalid(problem: string, hint = form): UsageError {
  return new UsageError('INVALID_SERVICE', problem, { hint });
}
