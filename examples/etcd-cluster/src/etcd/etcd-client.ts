// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import type { Credentials, MemberResponse, Transport } from './transport.ts';

/** A member as the cluster lists it. */
export interface ListedMember {
  /** 64 bits, in decimal digits. */
  readonly ID: string;
  /** Absent until it has started. */
  readonly name?: string;
  readonly peerURLs: readonly string[];
}

/** What the cluster says about its members. */
export interface MemberList {
  readonly header: { readonly cluster_id: string };
  readonly members: readonly ListedMember[];
}

/** What a member says about itself. */
export interface MemberStatus {
  readonly header: { readonly cluster_id: string; readonly member_id: string };
  readonly version: string;
  /** The ID of the leader; 0 without one. */
  readonly leader: string;
}

/** A member refuses a request, or cannot do what it asks. */
export class EtcdError extends Error {
  constructor(path: string, { status, body }: MemberResponse) {
    super(`etcd answers ${path} with ${status}: ${body}`);
  }
}

/** The API of one member (https://etcd.io/docs/v3.5/dev-guide/api_grpc_gateway). */
export class EtcdClient {
  readonly #transport: Transport;
  readonly #endpoint: string;
  readonly #credentials: Credentials | undefined;
  readonly #signal: AbortSignal;

  /** @param endpoint such as `http://db-0.db.shop.svc:2379` */
  constructor(
    transport: Transport,
    endpoint: string,
    credentials: Credentials | undefined,
    signal: AbortSignal,
  ) {
    this.#transport = transport;
    this.#endpoint = endpoint;
    this.#credentials = credentials;
    this.#signal = signal;
  }

  /** Whether it can read with the consent of a majority of the members. */
  async isHealthy(): Promise<boolean> {
    const { status } = await this.#send('GET', '/health');
    return status === 200;
  }

  /** @throws {EtcdError} */
  async status(): Promise<MemberStatus> {
    return this.#call('/v3/maintenance/status', {});
  }

  /**
   * Lists the members.
   * @param linearizable whether a majority of the members must agree on the answer.
   * @throws {EtcdError}
   */
  async members(linearizable: boolean): Promise<MemberList> {
    return this.#call('/v3/cluster/member/list', { linearizable });
  }

  /**
   * Adds a member, which can start after that.
   * @returns the members with the new one.
   * @throws {EtcdError} also if not all members are healthy.
   */
  async addMember(peerURL: string): Promise<MemberList> {
    return this.#call('/v3/cluster/member/add', { peerURLs: [peerURL] });
  }

  /**
   * Removes a member for good: it stops, and its data is of no use any more.
   * @returns the others.
   * @throws {EtcdError} also if the others would lose their majority.
   */
  async removeMember(ID: string): Promise<MemberList> {
    return this.#call('/v3/cluster/member/remove', { ID });
  }

  async #call<T>(path: string, body: object): Promise<T> {
    const response = await this.#send('POST', path, JSON.stringify(body));
    if (response.status !== 200) throw new EtcdError(path, response);
    const answer: T = JSON.parse(response.body);
    return answer;
  }

  #send(method: 'GET' | 'POST', path: string, body?: string): Promise<MemberResponse> {
    return this.#transport({
      method,
      url: `${this.#endpoint}${path}`,
      ...(body !== undefined && { body }),
      credentials: this.#credentials,
      signal: this.#signal,
    });
  }
}
