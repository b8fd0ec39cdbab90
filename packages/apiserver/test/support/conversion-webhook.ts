import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  type SelfSignedOptions,
  selfSignedCertificate,
} from 'ots-apimachinery/certificates/self-signed-certificate';

/** Converts one object to a version. */
export type Convert = (object: any, apiVersion: string) => any;

/** Answers a review instead of converting its objects: returns the review to send, or answers `response` itself. */
type Answer = (review: any, response: ServerResponse) => unknown;

/** A conversion webhook with its own certificate. */
export class ConversionWebhook {
  /** The reviews since the last {@link take}. */
  readonly #reviews: any[] = [];
  readonly #server: Server;
  readonly #certificate: string;
  readonly #convert: Convert;
  /** What a test does with reviews. Undefined to convert. */
  answer: Answer | undefined;

  private constructor(server: Server, certificate: string, convert: Convert) {
    this.#server = server;
    this.#certificate = certificate;
    this.#convert = convert;
  }

  static async start(
    convert: Convert,
    certificate: Partial<SelfSignedOptions> = {},
  ): Promise<ConversionWebhook> {
    const { cert, key } = selfSignedCertificate({ names: ['127.0.0.1'], ...certificate });
    const server = createServer({ cert, key });
    const webhook = new ConversionWebhook(server, cert, convert);
    server.on('request', (request, response) => {
      // The server under test may give up at any time.
      webhook.#answer(request, response).catch(() => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return webhook;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}/convert`;
  }

  /** The `spec.conversion` of a definition. */
  conversion(conversionReviewVersions = ['v1']): any {
    const caBundle = Buffer.from(this.#certificate).toString('base64');
    return {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions, clientConfig: { url: this.url, caBundle } },
    };
  }

  /** The reviews since the last time. */
  take(): any[] {
    return this.#reviews.splice(0);
  }

  /** The answer to a review that converts its objects. */
  converted({ apiVersion, kind, request }: any): any {
    const { uid, desiredAPIVersion, objects } = request;
    const convertedObjects = objects.map((object: any) => this.#convert(object, desiredAPIVersion));
    return { apiVersion, kind, response: { uid, result: { status: 'Success' }, convertedObjects } };
  }

  /** Refuses to convert an object whose label `fails` names the versions: `v1-v3` from v1 to v3. Converts all others. */
  failAsLabeled(): void {
    this.answer = (review) => {
      const { uid, desiredAPIVersion, objects } = review.request;
      const versions = [objects[0].apiVersion, desiredAPIVersion].map((text: string) => text.split('/')[1]);
      const route = versions.join('-');
      if (objects[0].metadata?.labels?.fails !== route) return this.converted(review);
      return { ...review, response: { uid, result: { status: 'Failure', message: `no ${route}` } } };
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const review = JSON.parse((await buffer(request)).toString('utf8'));
    this.#reviews.push(review);
    const answer = await (this.answer ?? ((sent) => this.converted(sent)))(review, response);
    if (answer === undefined) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  }
}
