import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { TlsMaterial } from '../http/http-listener.ts';
import { type CertifiedUser, createClientAuthority, issueClientCertificate } from './client-authority.ts';
import { type Keep, keepNothing, keepPair } from './keep.ts';
import { serverNames, servingCertificate } from './serving-certificate.ts';

/** The certificates of one server. Each is created on first use: a server without TLS needs none. */
export class ServerCertificates {
  readonly #host: string;
  readonly #now: () => Date;
  readonly #keep: Keep;
  #serving: CertificatePair | undefined;
  #clientAuthority: CertificatePair | undefined;

  /**
   * @param host the address that the server listens on
   * @param now the clock by which the server accepts certificates of clients
   * @param clientAuthority signs the certificates of clients; undefined to create it
   * @param keep keeps what is created. Default: until the end of the process.
   */
  constructor(
    host: string,
    now: () => Date,
    clientAuthority: CertificatePair | undefined,
    keep: Keep = keepNothing,
  ) {
    this.#keep = keep;
    this.#host = host;
    this.#now = now;
    this.#clientAuthority = clientAuthority;
  }

  /** Certifies the server to clients, which trust it as their authority. */
  get serving(): CertificatePair {
    // Those who connect read their own clock, which no test moves.
    const now = new Date();
    const names = serverNames(this.#host);
    return (this.#serving ??= keepPair(
      this.#keep,
      'serving',
      () => servingCertificate(names, now),
      (kept) => isValid(kept, now) && names.every((name) => certifies(kept, name)),
    ));
  }

  /** Certifies clients to the server. */
  get clientAuthority(): CertificatePair {
    const now = this.#now();
    return (this.#clientAuthority ??= keepPair(
      this.#keep,
      'client-authority',
      () => createClientAuthority(now),
      (kept) => isValid(kept, now),
    ));
  }

  /** What a listener needs. */
  get forListener(): TlsMaterial {
    return { ...this.serving, clientAuthority: this.clientAuthority.cert };
  }

  /** Issues the certificate of a client, as fields of a connection. */
  issueFor(user: CertifiedUser): { certData: string; keyData: string } {
    const { cert, key } = issueClientCertificate(this.clientAuthority, user, this.#now());
    return { certData: cert, keyData: key };
  }
}

function isValid({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return Date.parse(validFrom) <= now.getTime() && now.getTime() < Date.parse(validTo);
}

function certifies(certificate: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}
