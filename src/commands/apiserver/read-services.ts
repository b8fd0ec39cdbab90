import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import type { ServiceEndpoint } from 'ots-apiserver';
import { OtsError } from '../../errors/ots-error.ts';
import { reasonOf } from '../../errors/reason-of.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { oneLine } from '../../output/one-line.ts';
import type { FileSystem } from '../../scaffold/file-system.ts';
import type { ApiServerCommandOptions } from './parse-options.ts';
import { parseServices } from './parse-services.ts';

/**
 * Where Services listen, by `namespace/name` or `*`: what `--service` and `--service-ca` say.
 *
 * @throws {UsageError} for an invalid value, and for certificates that nothing uses
 * @throws {OtsError} for a file without certificates
 */
export function readServices(
  { service = [], serviceCa }: ApiServerCommandOptions,
  directory: string,
  fs: FileSystem,
): Map<string, ServiceEndpoint> {
  const addresses = parseServices(service);
  if (serviceCa === undefined) return new Map([...addresses].map(([name, url]) => [name, { url }]));
  if (addresses.size === 0) {
    throw new UsageError('CA_WITHOUT_SERVICE', '--service-ca needs --service: nothing else uses it', {
      hint: 'Add --service namespace/name=https://host:port or omit --service-ca.',
    });
  }
  const ca = readAuthorities(resolve(directory, serviceCa), fs);
  return new Map([...addresses].map(([name, url]) => [name, { url, ca }]));
}

/** Reads the certificates to trust from a file, in PEM. */
function readAuthorities(path: string, fs: FileSystem): string {
  const failed = (problem: string, cause?: unknown): OtsError =>
    new OtsError('SERVICE_CA_FILE', `${oneLine(path)} ${problem}`, {
      hint: 'Name a file with certificates in PEM with --service-ca.',
      cause,
    });
  let content: Buffer | undefined;
  try {
    content = fs.read(path);
  } catch (error) {
    throw failed(`cannot be read: ${reasonOf(error)}`, error);
  }
  if (!content) throw failed('does not exist');
  const text = content.toString('utf8');
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) throw failed('contains no certificate in PEM');
  for (const certificate of certificates) {
    try {
      void new X509Certificate(certificate);
    } catch (error) {
      throw failed(`contains a certificate that cannot be read: ${reasonOf(error)}`, error);
    }
  }
  return text;
}
