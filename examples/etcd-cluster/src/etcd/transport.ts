// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';

/** What a client of a cluster with TLS needs, each in PEM. */
export interface Credentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A request to the HTTP/JSON gateway of a member. */
export interface MemberRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: string;
  /** Absent for a cluster without TLS. */
  readonly credentials?: Credentials | undefined;
  readonly signal: AbortSignal;
}

/** The response of a member. */
export interface MemberResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends a request to a member. It rejects when the member does not answer. */
export type Transport = (request: MemberRequest) => Promise<MemberResponse>;

/** How long a member may take to answer. A member without a leader answers after 5 s at most, with an error. */
const timeout = 7000;

/** Sends requests over the network. Unlike the global `fetch`, it accepts the certificates of the cluster. */
export const httpTransport: Transport = ({ method, url, body, credentials, signal }) =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const headers = { 'content-type': 'application/json' };
    const outgoing = request(url, { method, headers, signal, timeout, ...credentials });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${url} does not answer`)));
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const status = response.statusCode ?? 0;
      text(response).then((answer) => resolve({ status, body: answer }), reject);
    });
    outgoing.end(body);
  });
