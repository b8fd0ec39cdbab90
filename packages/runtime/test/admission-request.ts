import { type RequestOptions, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';

export interface WebhookAnswer {
  code: number;
  body: any;
  fingerprint: string;
}

/** Calls a webhook as the API server does, trusting nothing but the certificate (`ca` of the options). */
export function postReview(
  port: number | undefined,
  path: string,
  body: string | Buffer,
  options: RequestOptions = {},
): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json' },
        ...options,
      },
      (response) => {
        const { fingerprint } = (response.socket as TLSSocket).getPeerCertificate();
        void text(response).then((answer) =>
          resolve({
            code: response.statusCode ?? 0,
            body: answer === '' ? undefined : JSON.parse(answer),
            fingerprint,
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** An AdmissionReview with the fields that kube-apiserver 1.36 sends. */
export function review(
  operation: string,
  objects: { object?: unknown; oldObject?: unknown },
  extra: object = {},
): string {
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind: { group: 'example.com', version: 'v1', kind: 'Thing' },
      resource: { group: 'example.com', version: 'v1', resource: 'things' },
      requestKind: { group: 'example.com', version: 'v1', kind: 'Thing' },
      requestResource: { group: 'example.com', version: 'v1', resource: 'things' },
      name: 'a',
      namespace: 'default',
      operation,
      userInfo: { username: 'admin', uid: '1', groups: ['system:authenticated'] },
      object: null,
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      ...objects,
      ...extra,
    },
  });
}
