import type { Clock } from 'ots-apimachinery/clock/clock';
import { type ConnectionConfig, ConnectionConfigError } from '../../kubeconfig/connection-config.ts';
import { FreshFile } from './fresh-file.ts';
import { type KeyPair, isKeyPair } from './key-pair.ts';

/** The current certificate authorities and client certificate, from the config or from files that change. */
export class TlsMaterial {
  readonly #files: FreshFile[];
  readonly #readCa: () => string | undefined;
  readonly #readCert: () => string | undefined;
  readonly #readKey: () => string | undefined;
  #ca: string | undefined;
  #keyPair: KeyPair | undefined;

  constructor(config: ConnectionConfig, clock: Clock) {
    this.#files = [];
    const source = (data: string | undefined, path: string | undefined): (() => string | undefined) => {
      if (data !== undefined || path === undefined) return () => data;
      const file = new FreshFile(path, clock);
      this.#files.push(file);
      return () => file.text;
    };
    this.#readCa = source(config.caData, config.caFile);
    this.#readCert = source(config.certData, config.certFile);
    this.#readKey = source(config.keyData, config.keyFile);
  }

  /** The certificate authorities to trust, PEM; undefined for Node's defaults. */
  get ca(): string | undefined {
    return this.#ca;
  }

  /** The client certificate to present. The same object until it changes. */
  get keyPair(): KeyPair | undefined {
    return this.#keyPair;
  }

  /**
   * Reads files that may have changed. Ignores half-written contents, such as a new certificate beside the old key, as
   * long as earlier contents are usable.
   * @param now whether to also read files that were read less than a minute ago.
   * @returns undefined if no file is read: most requests need not wait.
   * @throws {ConnectionConfigError} when the contents cannot be used and never could.
   */
  refresh(now = false): Promise<void> | undefined {
    const reading = this.#files.flatMap((file) => file.refresh(now) ?? []);
    if (reading.length > 0) return Promise.all(reading).then(() => this.#adopt());
    this.#adopt();
    return undefined;
  }

  #adopt(): void {
    this.#adoptCa(this.#readCa());
    this.#adoptKeyPair(this.#readCert(), this.#readKey());
  }

  #adoptCa(ca: string | undefined): void {
    if (ca === this.#ca) return;
    // Node ignores text that is not a certificate, and would then trust no server without saying why.
    const isUsable = ca?.includes('-----BEGIN CERTIFICATE-----') && ca.includes('-----END CERTIFICATE-----');
    if (isUsable) this.#ca = ca;
    else if (this.#ca === undefined) {
      throw new ConnectionConfigError(
        'The certificate authorities of the connection are not PEM',
        'They start with -----BEGIN CERTIFICATE-----; check certificate-authority in the kubeconfig, or ca.crt.',
      );
    }
  }

  #adoptKeyPair(cert: string | undefined, key: string | undefined): void {
    if (cert === undefined || key === undefined) return;
    if (cert === this.#keyPair?.cert && key === this.#keyPair.key) return;
    if (isKeyPair({ cert, key })) this.#keyPair = { cert, key };
    else if (this.#keyPair === undefined) {
      throw new ConnectionConfigError(
        'The client certificate and its key cannot be read, or do not match',
        'Both are PEM, the key without a passphrase; check client-certificate and client-key in the kubeconfig.',
      );
    }
  }
}
