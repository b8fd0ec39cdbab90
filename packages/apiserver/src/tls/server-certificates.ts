import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import type { TlsMaterial } from '../http/http-listener.ts';
import { type CertifiedUser, createClientAuthority, issueClientCertificate } from './client-authority.ts';
import { serverNames, servingCertificate } from './serving-certificate.ts';

/** The certificates of one server. Each is created on first use: a server without TLS needs none. */
export class ServerCertificates {
  readonly #host: string;
  readonly #now: () => Date;
  #serving: CertificatePair | undefined;
  #clientAuthority: CertificatePair | undefined;

  /**
   * @param host the address that the server listens on
   * @param now the clock by which the server accepts certificates of clients
   * @param clientAuthority signs the certificates of clients; undefined to create it
   */
  constructor(host: string, now: () => Date, clientAuthority: CertificatePair | undefined) {
    this.#host = host;
    this.#now = now;
    this.#clientAuthority = clientAuthority;
  }

  /** Certifies the server to clients, which trust it as their authority. */
  get serving(): CertificatePair {
    // Those who connect read their own clock, which no test moves.
    return (this.#serving ??= servingCertificate(serverNames(this.#host), new Date()));
  }

  /** Certifies clients to the server. */
  get clientAuthority(): CertificatePair {
    return (this.#clientAuthority ??= createClientAuthority(this.#now()));
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
